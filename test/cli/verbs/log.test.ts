import {expect, test} from 'vitest';
import {verbScene} from './verb-scene.ts';

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
