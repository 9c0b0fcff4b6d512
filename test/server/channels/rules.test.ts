import {expect, test} from 'vitest';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import type {Params} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** Who sends what, and the error message of the response; an empty one means success. */
type Row = readonly [Person, string, string, Params, string];

async function checkRows(server: TestServer, rows: readonly Row[]): Promise<void> {
  for (const [who, method, path, params, message] of rows) {
    const {body} = await server.as(who).raw(method, path, params);
    expect(body.msg, `${who.fullName} ${method} ${path} ${JSON.stringify(params)}`).toBe(message);
  }
}

const unsupported = 'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group';
const members = SystemGroup.members;

test('channel rules: an update checks the privacy that results from it', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const admin = server.people.admin();
  const meg = server.people.member();
  const permissions = {can_administer_channel_group: members};
  const open = `/streams/${server.people.channel('open', [meg], {permissions})}`;
  const secret = `/streams/${server.people.channel('secret', [owner], {invite_only: 1, history_public_to_subscribers: 1})}`;
  server.people.setting('enable_spectator_access', true);
  await checkRows(server, [
    [owner, 'PATCH', secret, {is_web_public: true}, 'Invalid parameters'],
    [owner, 'PATCH', secret, {is_private: false, history_public_to_subscribers: false}, 'Invalid parameters'],
    [admin, 'PATCH', secret, {is_private: true}, 'Channel content access is required.'],
    [admin, 'PATCH', secret, {history_public_to_subscribers: true}, ''],
    [owner, 'PATCH', secret, {can_create_topic_group: {new: members}}, ''],
    [owner, 'PATCH', secret, {is_private: true}, unsupported],
    [owner, 'PATCH', secret, {is_private: true, can_create_topic_group: {new: SystemGroup.everyone}}, ''],
    [owner, 'PATCH', secret, {can_create_topic_group: {new: members}}, unsupported],
    [owner, 'PATCH', open, {is_web_public: true}, ''],
    [owner, 'PATCH', open, {is_private: true}, 'Invalid parameters'],
    [meg, 'PATCH', open, {is_web_public: true}, 'Insufficient permission'],
    [meg, 'PATCH', open, {is_web_public: false}, ''],
    [owner, 'PATCH', open, {is_archived: true}, ''],
  ]);
  const {stream} = await server.as(owner).get(secret);
  expect(stream).toMatchObject({invite_only: true, history_public_to_subscribers: false});
  server.people.setting('can_create_public_channel_group', SystemGroup.administrators);
  server.people.setting('can_set_topics_policy_group', SystemGroup.nobody);
  await checkRows(server, [
    [meg, 'PATCH', open, {is_private: false}, 'Insufficient permission'],
    [meg, 'PATCH', open, {is_web_public: false}, ''],
    [meg, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, 'Insufficient permission'],
    [admin, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, ''],
    [meg, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, 'Insufficient permission'],
    [meg, 'PATCH', open, {topics_policy: 'inherit'}, ''],
  ]);
});

test('channel rules: a permission that does not change is not checked, and sets are checked member by member', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const permissions = {can_administer_channel_group: members};
  const secret = `/streams/${server.people.channel('secret', [], {invite_only: 1, permissions})}`;
  const set = (direct_members: number[], direct_subgroups: number[]) => ({new: {direct_members, direct_subgroups}});
  await checkRows(server, [
    [meg, 'PATCH', secret, {can_subscribe_group: {new: SystemGroup.nobody}}, ''],
    [meg, 'PATCH', secret, {can_subscribe_group: {new: members}}, 'Channel content access is required.'],
    [meg, 'PATCH', secret, {can_delete_own_message_group: {new: SystemGroup.nobody}}, ''],
    [meg, 'PATCH', secret, {can_delete_own_message_group: {new: members}}, 'Insufficient permission'],
    [admin, 'PATCH', secret, {can_send_message_group: set([9999], [8888])}, 'Invalid user ID: 9999'],
    [admin, 'PATCH', secret, {can_send_message_group: set([admin.id], [8888])}, 'Invalid user group ID: 8888'],
    [admin, 'PATCH', secret, {can_send_message_group: set([], [8888])}, 'Invalid user group'],
  ]);
});
