import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import type {ReactionAction} from '#state/actions/reactions.ts';
import type {StatusAction} from '#state/actions/user-status.ts';
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
const unheardMs = 10_000;

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

const setFlag = (on: ActionsFixture, op: 'add' | 'remove', flag: string, id: number) =>
  on.elsewhere().post('/messages/flags', {messages: [id], op, flag});

/** Delays the responses to flag changes: the server has made the change, but the client does not know. */
function heldAnswers() {
  const held: (() => void)[] = [];
  let told = () => {};
  const wrap = <P extends {api: Api}>(parts: P): P => ({
    ...parts,
    api: {
      ...parts.api,
      updateFlags: async (...args: Parameters<Api['updateFlags']>) => {
        const answer = await parts.api.updateFlags(...args);
        await new Promise<void>((resolve) => {
          held.push(resolve);
          told();
        });
        return answer;
      },
    },
  });
  return {
    wrap,
    arrived: () =>
      held.length > 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            told = resolve;
          }),
    release: () => {
      for (const resolve of held.splice(0)) resolve();
    },
  };
}

test('races: starred here, unstarred elsewhere, refused: ends unstarred', async () => {
  const on = await actionsFixture();
  const {client, said} = on;
  await client.goOffline();
  client.pendingChanges.perform(star(said));
  await setFlag(on, 'add', 'starred', said);
  await setFlag(on, 'remove', 'starred', said);
  await client.pollEvents();
  expect(client.state.starred.has(said)).toBe(true);
  await on.refuse('/messages/flags');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: starred here, starred elsewhere, refused: ends starred', async () => {
  const on = await actionsFixture();
  const {client, said} = on;
  await client.goOffline();
  client.pendingChanges.perform(star(said));
  await setFlag(on, 'add', 'starred', said);
  await client.pollEvents();
  await on.refuse('/messages/flags');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(said)).toBe(true);
  await expectInSync(on);
});

test('races: a refusal keeps changes that another client made meanwhile', async () => {
  const on = await actionsFixture();
  const {client, meg} = on;
  await client.goOffline();
  client.pendingChanges.perform(statusOf('mine'));
  await on.elsewhere().post('/users/me/status', {status_text: 'theirs'});
  await client.pollEvents();
  expect(client.state.statuses.get(meg.id)?.statusText).toBe('mine');
  await on.refuse('/users/me/status');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.statuses.get(meg.id)?.statusText).toBe('theirs');
  await expectInSync(on);
});

test('races: a refusal reverts one change and keeps earlier and later ones', async () => {
  const on = await actionsFixture();
  const {client, said, mentioned, direct} = on;
  await client.goOffline();
  client.pendingChanges.perform(statusOf('one'));
  client.pendingChanges.perform({kind: 'setting', name: 'enter_sends', value: true});
  client.pendingChanges.perform(statusOf('two'));
  client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [said, mentioned, direct]});
  await on.refuse('/settings');
  client.goOnline();
  await client.pendingChanges.idle();
  expect(client.state.settings.enterSends).toBe(false);
  expect(client.state.statuses.get(on.meg.id)?.statusText).toBe('two');
  expect(client.state.unreads.byId.size).toBe(0);
  await client.pollEvents();
  await expectInSync(on);
});

test('races: undone elsewhere before our response arrives: the events win', async () => {
  const held = heldAnswers();
  const on = await actionsFixture({client: {wrap: held.wrap}});
  const {client, said} = on;
  client.pendingChanges.perform(star(said));
  await held.arrived();
  await client.pollEvents();
  await setFlag(on, 'remove', 'starred', said);
  await client.pollEvents();
  held.release();
  await client.pendingChanges.idle();
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: done and undone elsewhere in one batch of events: the server’s state is shown', async () => {
  const held = heldAnswers();
  const on = await actionsFixture({client: {wrap: held.wrap}});
  const {client, said} = on;
  client.pendingChanges.perform(star(said));
  await held.arrived();
  await setFlag(on, 'remove', 'starred', said);
  await client.pollEvents();
  held.release();
  await client.pendingChanges.idle();
  await client.clock.pass(unheardMs);
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: a registration between a change and its response shows the change exactly once', async () => {
  const held = heldAnswers();
  const on = await actionsFixture({client: {wrap: held.wrap}});
  const {client, said} = on;
  client.pendingChanges.perform(star(said));
  await held.arrived();
  await setFlag(on, 'remove', 'starred', said);
  await client.register();
  held.release();
  await client.pendingChanges.idle();
  await client.clock.pass(unheardMs);
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: done and undone at once: shown as undone, before and after the events', async () => {
  const on = await actionsFixture();
  const {client, said} = on;
  client.pendingChanges.perform(star(said))?.undo();
  expect(client.state.starred.has(said)).toBe(false);
  await client.pendingChanges.idle();
  expect(client.state.starred.has(said)).toBe(false);
  await client.pollEvents();
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: a change that the server ignores does not stay on screen', async () => {
  const on = await actionsFixture();
  const {client, server, ada, said} = on;
  await client.goOffline();
  client.pendingChanges.perform(star(said));
  await server.as(ada).delete(`/messages/${said}`);
  await client.register();
  expect(client.state.starred.has(said)).toBe(true);
  await client.pendingChanges.idle();
  await client.clock.pass(unheardMs);
  expect(client.state.starred.has(said)).toBe(false);
  await expectInSync(on);
});

test('races: a reaction counts once, whether its event or its response arrives first', async () => {
  const on = await actionsFixture();
  const {client, said, mentioned} = on;
  const count = (id: number) => client.state.messages.byId.get(id)?.reactions.length;
  client.pendingChanges.perform(tada(said));
  await client.pendingChanges.idle();
  expect(count(said)).toBe(1);
  await client.pollEvents();
  expect(count(said)).toBe(1);

  await on.hook('fault', {path: `/messages/${mentioned}/reactions`, kind: 'drop_after'});
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
  const on = await actionsFixture();
  const {client, server, otto, said} = on;
  await server.as(otto).post(`/messages/${said}/reactions`, {
    emoji_name: 'thumbs_up',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  });
  await client.pollEvents();
  client.pendingChanges.perform({...tada(said), emojiName: '+1', emojiCode: '1f44d'});
  const names = () => client.state.messages.byId.get(said)?.reactions.map(({emojiName}) => emojiName);
  expect(names()).toEqual(['thumbs_up', 'thumbs_up']);
  await settleClient(client);
  expect(names()).toEqual(['thumbs_up', 'thumbs_up']);
});

test('races: messages fetched across a flag change do not revert it', async () => {
  const on = await actionsFixture({isBare: true});
  const {client, said} = on;
  await client.goOffline();
  client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [said]});
  client.pendingChanges.perform(star(said));
  await loadMessages(client);
  expect(client.state.unreads.byId.has(said)).toBe(false);
  expect(client.state.messages.byId.get(said)?.flags).toContain('starred');
  client.goOnline();
  await settleClient(client);
  await expectInSync(on);
});

test('races: two processes on one account show each other’s pending changes, and each is sent once', async () => {
  const directory = scratchDirectory();
  const on = await actionsFixture({client: {path: `${directory}/account.db`}});
  const {client, server, meg, said} = on;
  const other = await new TestClient(server, meg, {path: `${directory}/account.db`}).register();
  await client.goOffline();
  await other.goOffline();
  client.pendingChanges.perform(star(said));
  other.lookAround();
  expect(other.state.starred.has(said)).toBe(true);
  client.goOnline();
  await client.pendingChanges.idle();
  other.lookAround();
  expect(other.state.starred.has(said)).toBe(true);
  await other.pollEvents();
  expect(other.state.starred.has(said)).toBe(true);
  expect(other.pendingChanges.pendingActions()).toEqual([]);
});

test('races: an inverse stored as JSON restores exactly the same ids after a restart', async () => {
  const on = await actionsFixture({isBare: true});
  const {client, server, meg, said, mentioned} = on;
  const before = comparableState(client.state);
  const done = client.pendingChanges.perform({
    kind: 'flags',
    op: 'add',
    flag: 'read',
    ids: [said, mentioned],
  });
  await settleClient(client);
  const kept = JSON.stringify(done?.inverse);
  client.die();

  const next = await new TestClient(server, meg).register();
  expect(next.state.unreads.byId.size).toBe(1);
  expect(next.pendingChanges.perform(JSON.parse(kept))).toBeDefined();
  expect(comparableState(next.state)).toEqual(before);
  await settleClient(next);
  expect(comparableState(next.state)).toEqual(before);
  await expectInSync({...on, client: next});
});
