import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  channelPermissionRules,
  groupPermissionRules,
  type PermissionRule,
  realmPermissionRules,
  SystemGroup,
  systemGroups as systemGroupInfos,
} from '#server/organization/permission-rules.ts';
import {canPost} from '#state/selectors/permissions/channel-permissions.ts';
import {topic} from '#test/state/selectors/selector-builders.ts';
import {fewOf, fewOrAll, slowTest} from '#test/support/tier.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {type PermissionFixture, permissionFixture, setChannels, setRealm, stateOf} from './permission-fixture.ts';
import {administrationTrials, permissionTrials, send} from './permission-trials.ts';

/** Every user attempts everything; the predictions must match the results. */
async function compare(fixture: PermissionFixture, trials = permissionTrials): Promise<number> {
  const nowMs = fixture.clock.now();
  const wrong: string[] = [];
  let refusals = 0;
  for (const actor of fixture.actors) {
    // Not before, because what the others did counts.
    const state = await stateOf(fixture, actor.person);
    for (const {name, foresee, attempt} of trials) {
      const foreseen = foresee(state, actor, fixture, nowMs).every(({ok}) => ok);
      const {body} = await attempt(fixture.server.as(actor.person), actor, fixture);
      const allowed = body.result === 'success';
      if (!allowed) refusals += 1;
      if (foreseen !== allowed) wrong.push(`${actor.person.fullName}: ${name}: ${body.msg || 'allowed'}`);
    }
  }
  expect(wrong).toEqual([]);
  return refusals;
}

const {everyone, members, fullMembers, moderators, administrators, owners, nobody} = SystemGroup;
const systemGroups = Object.entries({everyone, members, fullMembers, administrators, nobody});

test.each(fewOf(systemGroups))('permissions at level 509: organization permissions for %s', async (_name, setting) => {
  const fixture = await permissionFixture(509);
  setRealm(fixture, setting);
  expect(await compare(fixture)).toBeGreaterThan(10);
});

/** Those that guests never have are set to members at most. */
function everyChannelPermission(setting: GroupSetting): Record<string, GroupSetting> {
  const rules = Object.entries(channelPermissionRules);
  const narrowed = setting === everyone ? members : setting;
  return Object.fromEntries(rules.map(([name, rule]) => [name, rule.allow_everyone_group ? setting : narrowed]));
}

const someGroups = Object.entries({everyone, fullMembers, owners, nobody});

test.each(fewOf(someGroups))('permissions at level 509: channel permissions for %s', async (_name, setting) => {
  const fixture = await permissionFixture(509);
  setRealm(fixture, nobody);
  setRealm(fixture, everyone, ['direct_message_initiator_group', 'direct_message_permission_group']);
  setChannels(fixture, everyChannelPermission(setting));
  expect(await compare(fixture)).toBeGreaterThan(10);
});

test('permissions at level 509: nested groups, users by id, and who may mention a group', async () => {
  const fixture = await permissionFixture(509);
  const {server, actors, groupId} = fixture;
  const [owner, , , member, newcomer] = actors;
  if (owner === undefined || member === undefined || newcomer === undefined) throw new Error('the user is missing');
  const client = server.as(owner.person);
  const inner = await client.post('/user_groups/create', {
    name: 'inner',
    description: '',
    members: [member.person.id],
  });
  const outer = await client.post('/user_groups/create', {
    name: 'outer',
    description: '',
    members: [],
    subgroups: [inner.group_id, administrators],
  });
  const anonymous = {direct_members: [newcomer.person.id], direct_subgroups: [inner.group_id]};
  await client.patch(`/user_groups/${groupId}`, {can_mention_group: {new: anonymous}});
  setRealm(fixture, outer.group_id);
  setChannels(fixture, everyChannelPermission(anonymous));
  expect(await compare(fixture)).toBeGreaterThan(10);
});

test.each([
  ['an hour', 3600],
  ['a month', 30 * 86_400],
])('permissions at level 509: time limits, after %s', async (_name, seconds) => {
  const fixture = await permissionFixture(509);
  fixture.clock.advance(seconds * 1000);
  expect(await compare(fixture)).toBeGreaterThan(10);
});

slowTest('permissions at level 509: editing off, web-public channels on and no limit for deleting', async () => {
  const fixture = await permissionFixture(509);
  const {people} = fixture.server;
  people.setting('allow_message_editing', false);
  people.setting('enable_spectator_access', true);
  people.setting('message_content_delete_limit_seconds', null);
  expect(await compare(fixture)).toBeGreaterThan(10);
});

/** Permissions that older servers cannot express keep their defaults. */
const policies = [
  'can_delete_own_message_group',
  'can_move_messages_between_channels_group',
  'can_mention_many_users_group',
  'can_add_subscribers_group',
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_web_public_channel_group',
  'can_move_messages_between_topics_group',
  // Resolving is renaming there.
  'can_resolve_topics_group',
];
const postable: readonly number[] = [administrators, fullMembers, moderators];

test.each(fewOf(Object.entries({members, everyone, fullMembers, moderators, nobody})))(
  'permissions at level 122: numbered policies for %s',
  async (_name, setting) => {
    const fixture = await permissionFixture(122);
    fixture.server.people.setting('enable_spectator_access', true);
    setRealm(fixture, setting, policies);
    const direct = setting === everyone ? everyone : nobody;
    setRealm(fixture, direct, ['direct_message_permission_group']);
    setChannels(fixture, {can_send_message_group: postable.includes(setting) ? setting : everyone});
    expect(await compare(fixture)).toBeGreaterThan(10);
  },
);

test.each([509, 122])('permissions at level %s: the topics policy of a channel', async (level) => {
  const fixture = await permissionFixture(level);
  const {server, channels, actors} = fixture;
  const person = actors[3]?.person;
  if (person === undefined) throw new Error('the user is missing');
  const foreseen = async (name: string) =>
    canPost(await stateOf(fixture, person), topic(channels.town, name), fixture.clock.now()).ok;
  const happens = async (name: string) => (await send(server.as(person), 'town', name)).body.result === 'success';
  expect([await foreseen(''), await happens('')]).toEqual([true, true]);
  server.people.setting('topics_policy', 'disable_empty_topic');
  expect([await foreseen(''), await happens('')]).toEqual([false, false]);
  expect([await foreseen('talk'), await happens('talk')]).toEqual([true, true]);
  if (level < 404) return;
  server.context.db.run('UPDATE channel SET topics_policy = ? WHERE id = ?', 'empty_topic_only', channels.town);
  expect([await foreseen(''), await happens('')]).toEqual([true, true]);
  expect([await foreseen('talk'), await happens('talk')]).toEqual([false, false]);
});

test('permissions at level 509: groups, people and the organization', async () => {
  const fixture = await permissionFixture(509);
  expect(await compare(fixture, administrationTrials)).toBeGreaterThan(10);
});

/** Values for some of the settings, as numbers from which `randomSettings` chooses. */
const choices = fc.record({
  realm: fc.array(fc.nat(), {minLength: 30, maxLength: 30}),
  channel: fc.array(fc.nat(), {minLength: 20, maxLength: 20}),
  group: fc.array(fc.nat(), {minLength: 10, maxLength: 10}),
  flags: fc.array(fc.boolean(), {minLength: 3, maxLength: 3}),
});

const flags = ['enable_read_receipts', 'allow_message_editing', 'enable_spectator_access'];

/** Gives every permission of the organization, its channels and groups a random value that its rule allows. */
function setAtRandom(
  fixture: PermissionFixture,
  chosen: typeof choices extends fc.Arbitrary<infer T> ? T : never,
): void {
  const {server, actors, groupId, clubId} = fixture;
  const {people, context} = server;
  const anonymous = {direct_members: [actors[3]?.person.id ?? 0, actors[5]?.person.id ?? 0], direct_subgroups: []};
  const values = [
    everyone,
    members,
    fullMembers,
    moderators,
    administrators,
    owners,
    nobody,
    clubId ?? nobody,
    anonymous,
  ];
  const chosenValue = ({require_system_group, allowed_system_groups, ...rule}: PermissionRule, pick: number) => {
    const fitting = values.filter((value) => {
      const group = systemGroupInfos.find(({id}) => id === value);
      if (group === undefined) return !require_system_group;
      if (allowed_system_groups.length > 0 && !allowed_system_groups.includes(group.name)) return false;
      if (value === everyone) return rule.allow_everyone_group;
      return value !== nobody || rule.allow_nobody_group;
    });
    return fitting[pick % fitting.length] ?? owners;
  };
  const settings = (rules: Readonly<Record<string, PermissionRule>>, picks: readonly number[]) =>
    Object.fromEntries(
      Object.entries(rules).map(([name, rule], index) => [name, chosenValue(rule, picks[index] ?? 0)]),
    );
  for (const id of [groupId, clubId]) {
    const permissions = JSON.stringify(settings(groupPermissionRules, chosen.group));
    context.db.run('UPDATE user_group SET permissions = ? WHERE id = ?', permissions, id ?? 0);
  }
  // Who sees whom is not a question of these trials: all users are known.
  const {can_access_all_users_group: _, ...realmRules} = realmPermissionRules;
  for (const [name, value] of Object.entries(settings(realmRules, chosen.realm))) people.setting(name, value);
  for (const [index, name] of flags.entries()) people.setting(name, chosen.flags[index] ?? false);
  setChannels(fixture, settings(channelPermissionRules, chosen.channel));
}

test('permissions at level 509: the client foresees what the server allows under random settings', async () => {
  const property = fc.asyncProperty(choices, async (chosen) => {
    const fixture = await permissionFixture(509);
    setAtRandom(fixture, chosen);
    await compare(fixture, [...permissionTrials, ...administrationTrials]);
    await fixture.server.close();
  });
  await fc.assert(property, {numRuns: fewOrAll(2, 40), endOnFailure: true});
});
