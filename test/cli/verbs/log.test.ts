import {expect, test} from 'vitest';
import {verbScene} from './verb-scene.ts';

test('log: all changes are printed, the oldest first, however many there are', async () => {
  const {server, asOwner} = await verbScene();
  server.context.db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
     INSERT INTO administration_log (user_id, at, action, target, fields, changes)
     SELECT NULL, 1000 + i, 'user.update', '{}', '["full_name"]', '{}' FROM n`,
  );
  const times = async (...argv: string[]) =>
    JSON.parse((await asOwner.run('log', [...argv, '--json'])).out).map(({time}: {time: string}) => time);
  const all = await times('--actor', 'operator');
  expect([all.length, all[0], all.at(-1)]).toEqual([450, '1970-01-01T00:16:41.000Z', '1970-01-01T00:24:10.000Z']);
  expect(await times('--since', '1970-01-01T00:20:00Z')).toHaveLength(251);
});

test('log: an owner sees who changed what, from a time on and by one person; others are refused', async () => {
  const {server, owner, meg, run, asOwner} = await verbScene();
  await server.as(owner).patch(`/users/${meg.id}`, {role: 300});
  const {code, out} = await asOwner.run('log', ['--since', '1h', '--json']);
  const entries: readonly {readonly action: string}[] = JSON.parse(out);
  expect(code).toBe(0);
  expect(entries.at(-1)).toMatchObject({
    action: 'user.update',
    actor: owner.fullName,
    text: `Changed ${meg.fullName} (role: member → moderator)`,
    changes: {role: [400, 300]},
  });
  expect((await asOwner.run('log', [])).out).toContain(`Changed ${meg.fullName} (role: member → moderator)`);
  expect((await asOwner.run('log', ['--actor', 'operator'])).out).toBe('Nothing was changed.\n');
  expect((await asOwner.run('log', ['--since', 'soon'])).code).toBe(2);
  expect(await run('log', [])).toMatchObject({out: '', err: expect.stringContaining('owner')});
});
