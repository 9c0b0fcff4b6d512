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

/** How long something that the server never mentions stays on the screen. */
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

/** Holds back the answers to flag changes: the server has done it, and we do not know. */
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

test('starred here, unstarred elsewhere, refused: unstarred', async () => {
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

test('starred here, starred elsewhere, refused: starred', async () => {
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

test('a refusal leaves what another program said meanwhile', async () => {
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

test('a refusal takes off one thing and leaves what was done before and after it', async () => {
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

test('undone elsewhere before our answer comes: the events win', async () => {
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

test('done and undone elsewhere in one batch of events: the server’s word shows in the end', async () => {
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

test('a registration between the deed and its answer shows neither more nor less', async () => {
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

test('done and undone at once: undone, while the events are on their way and afterwards', async () => {
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

test('what the server leaves as it is without a word does not stay on the screen', async () => {
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

test('a reaction counts once, whether its event comes before its answer or after it', async () => {
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

test('an emoji under a message keeps the name that the first gave it', async () => {
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

test('an answer about messages that crosses a mark does not bring it back', async () => {
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

test('two programs on one account show each other’s deeds, and each is done once', async () => {
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

test('the inverse is plain data: undo after a restart restores exactly those ids', async () => {
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
