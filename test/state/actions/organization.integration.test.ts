import {expect, test} from 'vitest';
import {changeGroupMembers} from '#state/actions/administration.ts';
import {startVideoCall} from '#state/actions/messages.ts';
import {png} from '#test/contract/contract-fixture.ts';
import {fewOf} from '#test/support/tier.ts';
import {actionsFixture, expectInSync} from './actions-fixture.ts';

const image = {name: 'smile.png', size: png.length, type: 'image/png', data: new Blob([png])};

test.each(fewOf([509, 277, 122]))('linkifiers: added, changed and removed (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  const {client} = fixture;
  const {context} = client;
  const {id} = await context.api.addLinkifier({
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://tickets.example.com/{id}',
  });
  await client.pollEvents();
  // Older servers insert the match without escaping.
  const variable = level < 176 ? '{+id}' : '{id}';
  const urlTemplate = `https://tickets.example.com/${variable}`;
  expect(client.state.linkifiers).toMatchObject([{id, urlTemplate}]);
  await context.api.updateLinkifier({
    filter_id: id,
    pattern: 'T(?P<id>[0-9]+)',
    url_template: 'https://tickets.example.com/t/{id}',
  });
  await client.pollEvents();
  expect(client.state.linkifiers).toMatchObject([{pattern: 'T(?P<id>[0-9]+)'}]);
  if (level >= 202) await context.api.reorderLinkifiers({ordered_linkifier_ids: [id]});
  else await expect(context.api.reorderLinkifiers({ordered_linkifier_ids: [id]})).rejects.toThrow('too old');
  await context.api.removeLinkifier({filter_id: id});
  await client.pollEvents();
  expect(client.state.linkifiers).toEqual([]);
  await expectInSync(fixture);
});

test.each(fewOf([509, 122]))('domains: added, changed and removed (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'owner'});
  const {client} = fixture;
  await client.context.api.addDomain({domain: 'example.org', allow_subdomains: false});
  await client.pollEvents();
  expect(client.state.domains).toEqual([{domain: 'example.org', allow_subdomains: false}]);
  await client.context.api.updateDomain({domain: 'example.org', allow_subdomains: true});
  await client.pollEvents();
  expect(client.state.domains).toEqual([{domain: 'example.org', allow_subdomains: true}]);
  await client.context.api.removeDomain({domain: 'example.org'});
  await client.pollEvents();
  await expectInSync(fixture);
  expect(client.state.domains).toEqual([]);
});

test('permissions: actions for administrators are refused with a sentence', async () => {
  const fixture = await actionsFixture();
  await expect(fixture.client.context.api.addDomain({domain: 'example.org', allow_subdomains: false})).rejects.toThrow(
    /owner.*\.$/,
  );
  await expectInSync(fixture);
});

test.each(fewOf([509, 122]))('organization: renaming reaches all clients (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  await fixture.client.context.api.updateRealm({name: 'Another', topics_policy: 'disable_empty_topic'});
  await fixture.client.pollEvents();
  expect(fixture.client.state.realm.name).toBe('Another');
  await expectInSync(fixture);
});

test.each(fewOf([509, 122]))('custom emoji: added and removed (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  const {client} = fixture;
  await client.context.api.addEmoji({emoji_name: 'smile_own', file: image});
  await client.pollEvents();
  const [emoji] = [...client.state.emoji.values()];
  expect(emoji).toMatchObject({name: 'smile_own', deactivated: false});
  const action = {kind: 'reaction', op: 'add', messageId: fixture.messageId} as const;
  const identity = {emojiName: 'smile_own', emojiCode: emoji?.id ?? '', reactionType: 'realm_emoji'};
  client.pendingChanges.perform({...action, ...identity});
  await fixture.syncAll();
  expect(client.state.messages.byId.get(fixture.messageId)?.reactions).toMatchObject([identity]);
  await client.context.api.removeEmoji({emoji_name: 'smile_own'});
  await client.pollEvents();
  expect([...client.state.emoji.values()]).toMatchObject([{deactivated: true}]);
  await expectInSync(fixture);
});

test.each(fewOf([509, 122]))('extra emoji: sent with the reaction type of this server (level %i)', async (level) => {
  const fixture = await actionsFixture({level});
  const {client} = fixture;
  client.pendingChanges.perform({
    kind: 'reaction',
    op: 'add',
    messageId: fixture.messageId,
    emojiName: 'zulip',
    emojiCode: 'zulip',
    reactionType: 'zulip_extra_emoji',
  });
  await fixture.syncAll();
  expect(fixture.refusals).toEqual([]);
  expect(client.state.messages.byId.get(fixture.messageId)?.reactions).toHaveLength(1);
});

test.each(fewOf([509, 122]))('users: renamed, promoted, deactivated and reactivated (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  const {client, otto} = fixture;
  await client.context.api.updateUser({user_id: otto.id, full_name: 'Otto the Second', role: 300});
  await client.pollEvents();
  expect(client.state.users.get(otto.id)).toMatchObject({fullName: 'Otto the Second', role: 300});
  await client.context.api.updateUserByEmail({email: otto.email, full_name: 'Otto'});
  await client.pollEvents();
  expect(client.state.users.get(otto.id)).toMatchObject({fullName: 'Otto', role: 300});
  await client.context.api.deactivateUser({user_id: otto.id});
  await client.pollEvents();
  expect(client.state.users.get(otto.id)?.isActive).toBe(false);
  await client.context.api.reactivateUser({user_id: otto.id});
  await client.pollEvents();
  expect(client.state.users.get(otto.id)?.isActive).toBe(true);
});

test('avatar: uploaded and deleted', async () => {
  const fixture = await actionsFixture();
  expect((await fixture.client.context.api.uploadAvatar({file: image})).avatar_url).toMatch(/\//);
  await fixture.client.context.api.deleteAvatar();
  await fixture.client.pollEvents();
  await expectInSync(fixture);
});

test('avatar: a file that is not an image is refused', async () => {
  const fixture = await actionsFixture();
  const text = {name: 'a.png', size: 3, data: new Blob(['abc'])};
  await expect(fixture.client.context.api.uploadAvatar({file: text})).rejects.toMatchObject({code: 'BAD_IMAGE'});
});

test('groups: created, joined, left and deactivated', async () => {
  const fixture = await actionsFixture({role: 'admin'});
  const {client, meg, otto} = fixture;
  await client.context.api.createGroup({name: 'cooks', description: '', members: [meg.id]});
  await client.pollEvents();
  const group = () => [...client.state.groups.values()].find(({name}) => name === 'cooks' || name === 'chefs');
  const id = group()?.id ?? 0;
  await client.context.api.updateGroup({user_group_id: id, name: 'chefs'});
  await changeGroupMembers(client.context, id, {add: {userIds: [otto.id]}});
  await changeGroupMembers(client.context, id, {remove: {userIds: [meg.id]}});
  await client.pollEvents();
  expect(group()).toMatchObject({name: 'chefs'});
  await expectInSync(fixture);
  await client.context.api.deactivateGroup({user_group_id: id});
  await client.pollEvents();
  await expectInSync(fixture);
});

test('invitations: sent by email and by link', async () => {
  const fixture = await actionsFixture({role: 'admin'});
  const {client, server, meg, channelId} = fixture;
  const {context} = client;
  const invitation = {stream_ids: [channelId]};
  await context.api.sendInvites({invitee_emails: 'new@example.com,other@example.com', ...invitation});
  expect((await context.api.createInviteLink({...invitation, invite_as: 600})).invite_link).toMatch(/^http/);
  const list = async () => (await server.as(meg).get('/invites')).invites;
  const invites = await list();
  expect(invites).toHaveLength(3);
  for (const {id: invite_id, is_multiuse: isLink} of invites) {
    await (isLink ? context.api.revokeInviteLink({invite_id}) : context.api.revokeInvite({invite_id}));
  }
  expect(await list()).toEqual([]);
});

test('video call: returns a URL', async () => {
  const fixture = await actionsFixture();
  const {client, server} = fixture;
  server.people.setting('video_chat_provider', 1);
  server.people.setting('jitsi_server_url', 'https://meet.example.com');
  await client.register();
  const call = await startVideoCall(client.context, {name: 'talk', audioOnly: true});
  expect(call).toMatchObject({kind: 'call'});
  expect(call.url).toMatch(/^https:\/\/meet\.example\.com\/\d{15}#config\.startWithVideoMuted=true$/);
});

test('video call: without a connected account, returns the page to connect it', async () => {
  const fixture = await actionsFixture();
  const {client, server} = fixture;
  server.people.setting('video_chat_provider', 8);
  await client.register();
  await fixture.hook('fault', {
    path: '/calls/',
    kind: 'status',
    status: 400,
    code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN',
  });
  expect(await startVideoCall(client.context, {name: 'talk'})).toMatchObject({
    kind: 'connect',
    url: `${server.url}/calls/conference/register`,
  });
});
