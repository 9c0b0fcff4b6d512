import {expect, test} from 'vitest';
import {
  createChannel,
  deleteTopic,
  removeSubscribers,
  resubscribe,
  setDefaultChannel,
  subscribe,
  unsubscribe,
  updateChannel,
} from '#state/actions/channels.ts';
import {fewOf} from '#test/support/tier.ts';
import {actionsFixture, comparableState, expectInSync, freshState} from './actions-fixture.ts';

test.each(fewOf([509, 371, 277, 122]))(
  'channels: a channel is created, changed and archived (level %i)',
  async (level) => {
    const fixture = await actionsFixture({level, role: 'admin'});
    const {client, otto} = fixture;
    const {context} = client;
    const id = await createChannel(context, {
      name: ' plans ',
      description: 'what next',
      subscribers: [otto.id],
    });
    await client.pollEvents();
    expect(client.state.channels.get(id)).toMatchObject({name: 'plans', description: 'what next'});
    expect(client.state.subscriptions.get(id)?.isSubscribed).toBe(true);
    expect(client.state.subscribers.get(id)?.ids.toArray()).toEqual([fixture.meg.id, otto.id]);
    await updateChannel(context, id, {new_name: 'ideas'});
    await setDefaultChannel(context, id, true);
    await client.pollEvents();
    expect(client.state.channels.get(id)?.name).toBe('ideas');
    expect(client.state.defaultChannels.has(id)).toBe(true);
    await removeSubscribers(context, id, [otto.id]);
    await client.pollEvents();
    expect(client.state.subscribers.get(id)?.ids.toArray()).toEqual([fixture.meg.id]);
    await expectInSync(fixture);
    await context.api.archiveChannel({stream_id: id});
    await client.pollEvents();
    expect(client.state.channels.get(id)?.isArchived ?? true).toBe(true);
    // Between these levels an archived channel may come back with the next registration.
    if (level < 315 || level >= 378) await expectInSync(fixture);
  },
);

test.each(fewOf([509, 122]))('channels: a name that is taken creates nothing (level %i)', async (level) => {
  const fixture = await actionsFixture({level});
  const before = await freshState(fixture);
  const creating = createChannel(fixture.client.context, {name: 'General'});
  await expect(creating).rejects.toMatchObject({code: 'CHANNEL_ALREADY_EXISTS'});
  expect(await freshState(fixture)).toEqual(before);
});

test.each(fewOf([509, 122]))(
  'channels: subscribing works for known channels and never creates one (level %i)',
  async (level) => {
    const fixture = await actionsFixture({level});
    const {client, server} = fixture;
    const open = server.people.channel('open', [fixture.otto]);
    const shut = server.people.channel('shut', [fixture.otto], {invite_only: 1});
    await client.register();
    expect(await subscribe(client.context, [open])).toMatchObject({unauthorized: []});
    await client.pollEvents();
    expect(client.state.subscriptions.get(open)?.isSubscribed).toBe(true);
    await expect(subscribe(client.context, [shut])).rejects.toThrow('This channel does not exist');
    await expectInSync(fixture);
  },
);

test('channels: other users are subscribed', async () => {
  const fixture = await actionsFixture();
  const {client, server, ada} = fixture;
  expect(await subscribe(client.context, [fixture.channelId], {userIds: [ada.id]})).toEqual({
    unauthorized: [],
    added: new Map([[fixture.channelId, [ada.id]]]),
    isTold: true,
  });
  await client.pollEvents();
  expect(client.state.subscribers.get(fixture.channelId)?.ids.has(ada.id)).toBe(true);
  expect((await server.as(ada).get('/users/me/subscriptions')).subscriptions).toHaveLength(1);
});

test('channels: unsubscribing and resubscribing restores the same unread messages', async () => {
  const fixture = await actionsFixture({isBare: true});
  const {client, channelId} = fixture;
  const before = comparableState(client.state);
  const unsubscribed = await unsubscribe(client.context, [channelId]);
  await client.pollEvents();
  expect(client.state.unreads.byId.size).toBe(1);
  await expectInSync(fixture);
  await resubscribe(client.context, JSON.parse(JSON.stringify(unsubscribed)));
  await client.pollEvents();
  expect(comparableState(client.state)).toEqual(before);
  await expectInSync(fixture);
});

test('channels: a private channel cannot be rejoined', async () => {
  const fixture = await actionsFixture();
  const {client, server} = fixture;
  const shut = server.people.channel('shut', [fixture.meg, fixture.otto], {invite_only: 1});
  await client.register();
  const unsubscribed = await unsubscribe(client.context, [shut]);
  await expect(resubscribe(client.context, unsubscribed)).rejects.toThrow('add you again');
});

test.each(fewOf([509, 122]))('channels: a topic is deleted completely (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  await deleteTopic(fixture.client.context, fixture.channelId, 'talk');
  await fixture.client.pollEvents();
  expect(fixture.client.state.messages.byId.has(fixture.messageId)).toBe(false);
  await expectInSync(fixture);
});

test('folders: created, renamed, reordered and archived', async () => {
  const fixture = await actionsFixture({role: 'admin'});
  const {client} = fixture;
  const {context} = client;
  const {channel_folder_id: a} = await context.api.createFolder({name: 'A', description: ''});
  const {channel_folder_id: b} = await context.api.createFolder({name: 'B', description: 'second'});
  await context.api.updateFolder({channel_folder_id: a, name: 'First'});
  await context.api.reorderFolders({order: [b, a]});
  await updateChannel(context, fixture.channelId, {folder_id: b});
  await client.pollEvents();
  expect(client.state.folders.get(a)).toMatchObject({name: 'First', order: 1});
  expect(client.state.channels.get(fixture.channelId)?.folderId).toBe(b);
  await context.api.updateFolder({channel_folder_id: a, is_archived: true});
  await client.pollEvents();
  expect(client.state.folders.get(a)?.isArchived).toBe(true);
  await expectInSync(fixture);
});
