import {expect, test} from 'vitest';
import {openGroupMembers} from '#app/groups/group-actions.ts';
import {groups} from '#app/groups/group-list.ts';
import {commandTable} from '#commands/command-table.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {goToField} from '#test/support/form-keys.ts';
import {roles} from '#wire/objects/user.ts';

/** Meg's client and a group that the owner made; keys go to fields of forms by their label. */
async function groupFixture(options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {fixture, app, press, session} = parts;
  const {server, meg} = fixture;
  const owner = server.people.owner();
  const state = () => session.cache.state;
  const groupNamed = (name: string) => [...state().groups.values()].find((group) => group.name === name);
  const create = async (name: string, params: object = {}) => {
    const {group_id} = await server
      .as(owner)
      .post('/user_groups/create', {name, description: '', members: [], ...params});
    await waitForState(session, ({groups}) => groups.has(group_id));
    return group_id as number;
  };
  return {
    ...parts,
    owner,
    state,
    groupNamed,
    create,
    toast: () => app.screen.toast?.text,
    becomes: async (role: keyof typeof roles) => {
      await server.as(owner).patch(`/users/${meg.id}`, {role: roles[role]});
      await waitForState(session, ({users}) => users.get(meg.id)?.role === roles[role]);
    },
    goTo: goToField(app, press),
    closed: () => untilApp(app, () => app.screen.overlays.length === 0),
  };
}

test('groups: a group is created with members, groups in it and permissions, and the other user sees it', async () => {
  const {fixture, app, press, type, goTo, closed, create, session, groupNamed, state} = await groupFixture();
  const {server, otto, meg} = fixture;
  const crew = await create('crew', {members: [otto.id]});
  const queue = await server.as(otto).listen({event_types: ['user_group']});
  groups.openNew(app);
  type('sailors');
  goTo('Description');
  type('At sea');
  goTo('Groups in it');
  type('crew');
  press('Enter', 'Esc');
  goTo('Join');
  type('full');
  press('Enter', 'Ctrl-D');
  await closed();
  const {group} = await queue.first(({op}) => op === 'add');
  const fullMembers = [...state().groups.values()].find(({name}) => name === 'role:fullmembers')?.id;
  expect(group).toMatchObject({
    name: 'sailors',
    description: 'At sea',
    members: [meg.id],
    can_join_group: fullMembers,
    can_manage_group: {direct_members: [meg.id], direct_subgroups: []},
  });
  await waitForState(session, () => groupNamed('sailors')?.subgroupIds.has(crew) === true);
});

test('groups: names are checked while typing, and a refusal of the server is shown at the name', async () => {
  const {app, press, type, says, overlay, create} = await groupFixture();
  await create('crew');
  groups.openNew(app);
  type('crew');
  expect(overlay()).toContain('There is already a group crew');
  press('Ctrl-U');
  type('role:x');
  expect(overlay()).toContain("A group's name cannot start with “role:”");
  press('Ctrl-U');
  // Names that differ in case are different.
  type('Crew');
  expect(overlay()).not.toContain('There is already a group');
  // Only the server refuses marks that reverse the text around them.
  type('\u202e');
  press('Ctrl-D');
  await says('Invalid character in user group name.');
});

test('groups: an open form follows the change of another client, and saves only what was changed', async () => {
  const {fixture, app, press, type, goTo, closed, overlay, create, owner, groupNamed, session} = await groupFixture();
  const {server, meg} = fixture;
  const id = await create('crew', {can_manage_group: {direct_members: [meg.id], direct_subgroups: []}});
  groups.openForm(app, id);
  goTo('Description');
  type('Day and night');
  await server.as(owner).patch(`/user_groups/${id}`, {name: 'watch'});
  await untilApp(app, () => overlay()?.includes('watch') === true);
  goTo('Mention the group');
  type('mod');
  press('Enter', 'Ctrl-D');
  await closed();
  await waitForState(session, () => groupNamed('watch')?.description === 'Day and night');
  const moderators = groupNamed('role:moderators')?.id;
  await waitForState(session, () => groupNamed('watch')?.canMentionGroup === moderators);
});

test.each(['owner', 'administrator', 'moderator', 'member', 'guest'] as const)(
  'groups: what the role %s may do',
  async (role) => {
    const {app, becomes, create, press, overlay, toast} = await groupFixture();
    const id = await create('crew');
    if (role !== 'member') await becomes(role);
    const reason = commandTable.get('group.new')?.disabledReason?.(app);
    expect(reason).toBe(role === 'guest' ? 'You do not have permission to create groups.' : undefined);
    groups.openForm(app, id);
    press('X');
    const isManager = role === 'owner';
    expect(overlay()?.includes('crewX')).toBe(isManager);
    if (!isManager) expect(overlay()).toContain('You do not have permission to change the group crew.');
    press('Ctrl-R', 'Esc');
    groups.open(app);
    press('Down', 'Ctrl-T');
    if (!isManager) expect(toast()).toBe('You do not have permission to join the group crew.');
  },
);

test('groups: the list shows counts and roles; joining and leaving can be undone', async () => {
  const {fixture, app, press, says, overlay, create, groupNamed, session} = await groupFixture();
  const {meg, otto} = fixture;
  const members = groupNamed('role:members')?.id ?? 0;
  await create('crew', {description: 'On board', members: [otto.id], can_join_group: members});
  groups.open(app);
  expect(overlay()).toMatch(/crew {2}On board +1 member/);
  expect(overlay()).toMatch(/Roles[\s\S]*Everyone except guests {2}you are in it/);
  press('Down', 'Ctrl-T');
  await says('Joined the group crew');
  await untilApp(app, () => overlay()?.includes('you are in it · On board') === true);
  press('Ctrl-T');
  await says('Left the group crew');
  press('Esc', 'z');
  await says('Joined the group crew');
  await waitForState(session, () => groupNamed('crew')?.members.has(meg.id) === true);
});

test('groups: system groups are shown, and their members cannot be changed', async () => {
  const {app, press, overlay, toast, groupNamed} = await groupFixture();
  openGroupMembers(app, groupNamed('role:members')?.id ?? 0);
  expect(overlay()).toContain('Members of Everyone except guests');
  expect(overlay()).toMatch(/Meg Member {2}you/);
  press('Ctrl-A');
  expect(toast()).toBe('This group follows from the roles of users and cannot be changed.');
});

test('groups: members are added and removed, through groups in it too, and a second client sees it live', async () => {
  const {fixture, app, press, type, says, overlay, create, owner, toast, becomes, groupNamed, session} =
    await groupFixture();
  const {server, otto, meg} = fixture;
  await becomes('owner');
  const inner = await create('divers', {members: [otto.id]});
  const id = await create('crew');
  openGroupMembers(app, id);
  expect(overlay()).toContain('No members');
  press('Ctrl-A', 'Tab');
  type('div');
  press('Enter', 'Esc', 'Ctrl-D');
  await says('Added 1 member to crew');
  await untilApp(app, () => overlay()?.includes('through divers') === true);
  expect(overlay()).toMatch(/divers {2}group · 1 member/);
  press('Down', 'Down', 'Delete');
  expect(toast()).toBe('A member through divers: remove them there');
  await server.as(owner).post(`/user_groups/${id}/members`, {add: [meg.id]});
  await untilApp(app, () => overlay()?.includes('Meg Member') === true);
  type('divers');
  press('Delete', 'y');
  await says('Removed the group divers from crew');
  await waitForState(session, () => groupNamed('crew')?.subgroupIds.has(inner) === false);
  press('Esc', 'z');
  await says('Added the group divers to crew again');
  await waitForState(session, () => groupNamed('crew')?.subgroupIds.has(inner) === true);
});

test('groups: a refusal names where a group is used; a free one is deactivated, and undo reactivates it', async () => {
  const {app, press, says, create, becomes, groupNamed, session, overlay} = await groupFixture();
  await becomes('owner');
  const inner = await create('divers');
  await create('crew', {subgroups: [inner]});
  groups.open(app);
  press('Down', 'Down', 'Delete', 'y');
  await says('The group divers was not deactivated: it is used by the group crew. Remove it there first.');
  press('Up', 'Delete', 'y');
  await says('Deactivated the group crew');
  await untilApp(app, () => /Deactivated[^\n]*\n[^\n]*crew/.test(overlay() ?? ''));
  press('Esc', 'z');
  await says('Reactivated the group crew');
  await waitForState(session, () => groupNamed('crew')?.isDeactivated === false);
});

test('groups: a group is reactivated from the list, and undo deactivates it again', async () => {
  const {app, press, says, create, becomes, groupNamed, session} = await groupFixture();
  await becomes('owner');
  await create('crew');
  groups.open(app);
  press('Down', 'Delete', 'y');
  await waitForState(session, () => groupNamed('crew')?.isDeactivated === true);
  press('Ctrl-R');
  await says('Reactivated the group crew');
  press('Esc', 'z');
  await says('Deactivated the group crew');
  await waitForState(session, () => groupNamed('crew')?.isDeactivated === true);
});

test('groups: a form that adds nobody says so and stays open', async () => {
  const {app, press, says, create, becomes} = await groupFixture();
  await becomes('owner');
  openGroupMembers(app, await create('crew'));
  press('Ctrl-A', 'Ctrl-D');
  await says('Choose people or groups');
});

test('groups: a read-only session shows groups and changes nothing', async () => {
  const {app, press, toast, create} = await groupFixture({app: {info: {isReadOnly: true}}});
  await create('crew');
  groups.open(app);
  press('Ctrl-A');
  expect(toast()).toBe('This session is read-only: nothing is changed');
});

test('groups: an older server deletes groups, and cannot reactivate them', async () => {
  const {app, press, says, create, becomes, groupNamed, session} = await groupFixture({server: {level: 277}});
  await becomes('owner');
  await create('crew');
  groups.open(app);
  press('Down', 'Delete');
  await says('Delete the group crew?');
  press('y');
  await says('Deleted the group crew');
  await waitForState(session, () => groupNamed('crew') === undefined);
});
