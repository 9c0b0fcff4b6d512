import {expect, test} from 'vitest';
import {verbFixture} from './verb-fixture.ts';
import {verbScene} from './verb-scene.ts';

async function groupScene() {
  const scene = await verbScene();
  const group = async (name: string) => {
    const {user_groups} = await scene.server.as(scene.owner).get('/user_groups', {include_deactivated_groups: true});
    return user_groups.find((each: {name: string}) => each.name === name);
  };
  return {...scene, group};
}

test('group: it is created, shown, changed and listed', async () => {
  const {run, group, meg, otto} = await groupScene();
  const made = await run('group create', [
    'crew',
    '-d',
    'who sails',
    '--user',
    '@Otto Other',
    '--permission',
    'mention=moderators',
    '--json',
  ]);
  const {id} = JSON.parse(made.out);
  expect(await group('crew')).toMatchObject({id, description: 'who sails', members: [otto.id]});
  expect((await run('group list', [])).out).toBe(`${id}  crew  1 direct member  who sails\n`);
  expect((await run('group list', ['--all'])).out).toContain('Moderators');
  expect(
    await run('group edit', ['crew', '--name', 'sailors', '--permission', 'join=members,@Otto Other']),
  ).toMatchObject({
    code: 0,
    out: 'Changed the group sailors.\n',
  });
  const {out} = await run('group show', ['sailors']);
  expect(out).toContain('Members         Otto Other\n');
  expect(out).toContain('Mention         Moderators\n');
  expect(out).toContain('Join            Everyone except guests, Otto Other\n');
  expect(JSON.parse((await run('group show', ['sailors', '--json'])).out)).toMatchObject({
    id,
    memberIds: [otto.id],
    permissions: {canManageGroup: {direct_members: [meg.id]}},
  });
  expect(await run('group create', ['sailors'])).toMatchObject({
    code: 1,
    err: "User group 'sailors' already exists.\n",
  });
  expect(await run('group show', ['sialors'])).toMatchObject({
    code: 1,
    err: 'There is no group called “sialors”. Did you mean “sailors”?\n',
  });
});

test('group add and remove: members and subgroups, and nothing is done twice', async () => {
  const {run, group, meg, otto} = await groupScene();
  await run('group create', ['crew']);
  await run('group create', ['cooks']);
  expect(await run('group add', ['crew', '@Otto Other', 'me', '--subgroup', 'cooks'])).toEqual({
    code: 0,
    out: 'Added 3 members to crew.\n',
    err: '',
  });
  const {id: cooks} = await group('cooks');
  expect(await group('crew')).toMatchObject({members: [meg.id, otto.id], direct_subgroup_ids: [cooks]});
  expect(await run('group add', ['crew', 'me'])).toMatchObject({code: 0, out: 'Added 0 members to crew.\n'});
  expect((await run('group show', ['crew'])).out).toContain('Subgroups       cooks\n');
  const removed = await run('group remove', ['crew', otto.email, '--subgroup', 'cooks', '--json']);
  expect(JSON.parse(removed.out)).toMatchObject({removed: [otto.id], removedSubgroups: [cooks]});
  expect(await group('crew')).toMatchObject({members: [meg.id], direct_subgroup_ids: []});
  expect(await run('group add', ['crew'])).toMatchObject({code: 2});
});

test('group: those who may not change it get exit code 5, except to leave it', async () => {
  const {run, server, otto, group} = await groupScene();
  await run('group create', ['crew', '--user', '@Otto Other']);
  const asOtto = verbFixture(server, otto);
  const refused = {code: 5, out: '', err: 'You do not have permission to change the group crew.\n'};
  expect(await asOtto.run('group edit', ['crew', '--name', 'x'])).toEqual(refused);
  expect(await asOtto.run('group add', ['crew', '@Meg Member'])).toEqual({
    ...refused,
    err: 'You do not have permission to add people to the group crew.\n',
  });
  expect(await asOtto.run('group deactivate', ['crew'])).toEqual(refused);
  await run('group create', ['cooks']);
  const open = ['join', 'remove_members'].flatMap((name) => ['--permission', `${name}=@Otto Other`]);
  await run('group create', ['open', '--subgroup', 'cooks', ...open]);
  expect(await asOtto.run('group add', ['open', 'me', '@Meg Member'])).toMatchObject({
    code: 5,
    err: 'You do not have permission to add people to the group open.\n',
  });
  expect(await asOtto.run('group add', ['open', 'me'])).toMatchObject({code: 0});
  expect(await asOtto.run('group remove', ['open', '--subgroup', 'cooks'])).toMatchObject({
    code: 5,
    err: 'You do not have permission to change the group open.\n',
  });
  expect(await asOtto.run('group remove', ['crew', 'me'])).toMatchObject({code: 0});
  expect((await group('crew')).members).toEqual([]);
  expect(await run('group add', ['moderators', 'me'])).toMatchObject({
    code: 5,
    err: 'This group follows from the roles of users and cannot be changed.\n',
  });
  const guest = verbFixture(server, server.people.guest());
  expect(await guest.run('group create', ['mine'])).toMatchObject({
    code: 5,
    err: 'You do not have permission to create groups.\n',
  });
});

test('group deactivate and reactivate', async () => {
  const {run, group} = await groupScene();
  await run('group create', ['crew']);
  expect(await run('group deactivate', ['crew'])).toMatchObject({code: 0, out: 'Deactivated the group crew.\n'});
  expect(await run('group deactivate', ['crew'])).toMatchObject({code: 0});
  expect((await group('crew')).deactivated).toBe(true);
  expect((await run('group list', [])).out).toBe('No groups.\n');
  expect(await run('group reactivate', ['crew', '--json'])).toMatchObject({code: 0});
  expect((await group('crew')).deactivated).toBe(false);
});
