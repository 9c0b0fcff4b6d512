import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import type {FlagsAction, ReactionAction} from '#state/actions/message-flags.ts';
import type {StatusAction} from '#state/actions/own-settings.ts';
import {TestClient} from '#test/state/test-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {
  type ActionsFixture,
  actionsFixture,
  comparableState,
  expectInSync,
  loadMessages,
  settleClient,
} from './actions-fixture.ts';

/** How long a change without an event stays on screen. */
const maxEventDelayMs = 10_000;

const star = (id: number): FlagsAction => ({kind: 'flags', op: 'add', flag: 'starred', ids: [id]});
const statusOf = (text: string): StatusAction => ({
  kind: 'status',
  text,
  emojiName: '',
  emojiCode: '',
  reactionType: '',
});
const tada = (messageId: number): ReactionAction => ({
  kind: 'reaction',
  op: 'add',
  messageId,
  emojiName: 'tada',
  emojiCode: '1f389',
  reactionType: 'unicode_emoji',
});

const setFlag = (fixture: ActionsFixture, op: 'add' | 'remove', flag: string, id: number) =>
  fixture.otherClient().post('/messages/flags', {messages: [id], op, flag});

/** Delays the responses to flag changes: the server has made the change, but the client does not know. */
function delayedResponses() {
  const delayed: (() => void)[] = [];
  let notify = () => {};
  const wrap = <P extends {api: Api}>(parts: P): P => ({
    ...parts,
    api: {
      ...parts.api,
      updateFlags: async (...args: Parameters<Api['updateFlags']>) => {
        const response = await parts.api.updateFlags(...args);
        await new Promise<void>((resolve) => {
          delayed.push(resolve);
          notify();
        });
        return response;
      },
    },
  });
  return {
    wrap,
    arrived: () =>
      delayed.length > 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            notify = resolve;
          }),
    release: () => {
      for (const resolve of delayed.splice(0)) resolve();
    },
  };
}

test('races: starred here, unstarred elsewhere, refused: ends unstarred', async () => {
  const fixture = await actionsFixture();
  const {client, messageId} = fixture;
  await client.goOffline();
  client.pendingChanges.perform(star(messageId));
  await setFlag(fixture, 'add', 'starred', messageId);
  await setFlag(fixture, 'remove', 'starred', messageId);
  await client.pollEvents();
  expect(client.state.starred.has(messageId)).toBe(true);
  await fixture.refuse('/messages/flags');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: starred here, starred elsewhere, refused: ends starred', async () => {
  const fixture = await actionsFixture();
  const {client, messageId} = fixture;
  await client.goOffline();
  client.pendingChanges.perform(star(messageId));
  await setFlag(fixture, 'add', 'starred', messageId);
  await client.pollEvents();
  await fixture.refuse('/messages/flags');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(true);
  await expectInSync(fixture);
});

test('races: a refusal keeps changes that another client made meanwhile', async () => {
  const fixture = await actionsFixture();
  const {client, meg} = fixture;
  await client.goOffline();
  client.pendingChanges.perform(statusOf('mine'));
  await fixture.otherClient().post('/users/me/status', {status_text: 'theirs'});
  await client.pollEvents();
  expect(client.state.statuses.get(meg.id)?.statusText).toBe('mine');
  await fixture.refuse('/users/me/status');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.statuses.get(meg.id)?.statusText).toBe('theirs');
  await expectInSync(fixture);
});

test('races: a refusal reverts one change and keeps earlier and later ones', async () => {
  const fixture = await actionsFixture();
  const {client, messageId, mentioned, direct} = fixture;
  await client.goOffline();
  client.pendingChanges.perform(statusOf('one'));
  client.pendingChanges.perform({kind: 'setting', name: 'enter_sends', value: true});
  client.pendingChanges.perform(statusOf('two'));
  client.pendingChanges.perform({
    kind: 'flags',
    op: 'add',
    flag: 'read',
    ids: [messageId, mentioned, direct],
  });
  await fixture.refuse('/settings');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.settings.enterSends).toBe(false);
  expect(client.state.statuses.get(fixture.meg.id)?.statusText).toBe('two');
  expect(client.state.unreads.byId.size).toBe(0);
  await client.pollEvents();
  await expectInSync(fixture);
});

test('races: undone elsewhere before our response arrives: the events win', async () => {
  const delayed = delayedResponses();
  const fixture = await actionsFixture({client: {wrap: delayed.wrap}});
  const {client, messageId} = fixture;
  client.pendingChanges.perform(star(messageId));
  await delayed.arrived();
  await client.pollEvents();
  await setFlag(fixture, 'remove', 'starred', messageId);
  await client.pollEvents();
  delayed.release();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: done and undone elsewhere in one batch of events: the server’s state is shown', async () => {
  const delayed = delayedResponses();
  const fixture = await actionsFixture({client: {wrap: delayed.wrap}});
  const {client, messageId} = fixture;
  client.pendingChanges.perform(star(messageId));
  await delayed.arrived();
  await setFlag(fixture, 'remove', 'starred', messageId);
  await client.pollEvents();
  delayed.release();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: a registration between a change and its response shows the change exactly once', async () => {
  const delayed = delayedResponses();
  const fixture = await actionsFixture({client: {wrap: delayed.wrap}});
  const {client, messageId} = fixture;
  client.pendingChanges.perform(star(messageId));
  await delayed.arrived();
  await setFlag(fixture, 'remove', 'starred', messageId);
  await client.register();
  delayed.release();
  await client.pendingChanges.idle();
  await client.clock.pass(maxEventDelayMs);
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: done and undone at once: shown as undone, before and after the events', async () => {
  const fixture = await actionsFixture();
  const {client, messageId} = fixture;
  client.pendingChanges.perform(star(messageId))?.undo();
  expect(client.state.starred.has(messageId)).toBe(false);
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(false);
  await client.pollEvents();
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: a star of a deleted message does not stay on screen', async () => {
  const fixture = await actionsFixture();
  const {client, server, ada, messageId} = fixture;
  await client.goOffline();
  client.pendingChanges.perform(star(messageId));
  await server.as(ada).delete(`/messages/${messageId}`);
  await client.register();
  expect(client.state.starred.has(messageId)).toBe(true);
  await client.pendingChanges.idle();
  expect(client.state.starred.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('races: a reaction counts once, whether its event or its response arrives first', async () => {
  const fixture = await actionsFixture();
  const {client, messageId, mentioned} = fixture;
  const count = (id: number) => client.state.messages.byId.get(id)?.reactions.length;
  client.pendingChanges.perform(tada(messageId));
  await client.pendingChanges.idle();
  expect(count(messageId)).toBe(1);
  await client.pollEvents();
  expect(count(messageId)).toBe(1);

  await fixture.hook('fault', {path: `/messages/${mentioned}/reactions`, kind: 'drop_after'});
  client.pendingChanges.perform(tada(mentioned));
  await client.clock.waitedFor(200, 500);
  await client.pollEvents();
  expect(count(mentioned)).toBe(1);
  await client.clock.pass(200, 500);
  await client.pendingChanges.idle();
  await client.pollEvents();
  expect(count(mentioned)).toBe(1);
});

test('races: an emoji keeps the name of its first reaction', async () => {
  const fixture = await actionsFixture();
  const {client, server, otto, messageId} = fixture;
  await server.as(otto).post(`/messages/${messageId}/reactions`, {
    emoji_name: 'thumbs_up',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  });
  await client.pollEvents();
  client.pendingChanges.perform({...tada(messageId), emojiName: '+1', emojiCode: '1f44d'});
  const names = () => client.state.messages.byId.get(messageId)?.reactions.map(({emojiName}) => emojiName);
  expect(names()).toEqual(['thumbs_up', 'thumbs_up']);
  await settleClient(client);
  expect(names()).toEqual(['thumbs_up', 'thumbs_up']);
});

test('races: messages fetched across a flag change do not revert it', async () => {
  const fixture = await actionsFixture({isBare: true});
  const {client, messageId} = fixture;
  await client.goOffline();
  client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [messageId]});
  client.pendingChanges.perform(star(messageId));
  await loadMessages(client);
  expect(client.state.unreads.byId.has(messageId)).toBe(false);
  expect(client.state.messages.byId.get(messageId)?.flags).toContain('starred');
  client.goOnline();
  await settleClient(client);
  await expectInSync(fixture);
});

test('races: two processes on one account show each other’s pending changes, and each is sent once', async () => {
  const directory = scratchDirectory();
  const fixture = await actionsFixture({client: {path: `${directory}/account.db`}});
  const {client, server, meg, messageId} = fixture;
  const other = await new TestClient(server, meg, {path: `${directory}/account.db`}).register();
  await client.goOffline();
  await other.goOffline();
  client.pendingChanges.perform(star(messageId));
  other.checkExternalChanges();
  expect(other.state.starred.has(messageId)).toBe(true);
  client.goOnline();
  await client.pendingChanges.idle();
  other.checkExternalChanges();
  expect(other.state.starred.has(messageId)).toBe(true);
  await other.pollEvents();
  expect(other.state.starred.has(messageId)).toBe(true);
  expect(other.pendingChanges.pendingActions()).toEqual([]);
});

test('races: an inverse stored as JSON restores exactly the same ids after a restart', async () => {
  const fixture = await actionsFixture({isBare: true});
  const {client, server, meg, messageId, mentioned} = fixture;
  const before = comparableState(client.state);
  const done = client.pendingChanges.perform({
    kind: 'flags',
    op: 'add',
    flag: 'read',
    ids: [messageId, mentioned],
  });
  await settleClient(client);
  const storedInverse = JSON.stringify(done?.inverse);
  client.kill();

  const next = await new TestClient(server, meg).register();
  expect(next.state.unreads.byId.size).toBe(1);
  expect(next.pendingChanges.perform(JSON.parse(storedInverse))).toBeDefined();
  expect(comparableState(next.state)).toEqual(before);
  await settleClient(next);
  expect(comparableState(next.state)).toEqual(before);
  await expectInSync({...fixture, client: next});
});
