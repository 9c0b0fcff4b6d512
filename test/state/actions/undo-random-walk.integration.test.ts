import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {UndoableChange} from '#state/pending-changes/pending-changes.ts';
import {plainMessages} from '#test/contract/plain-state.ts';
import {checkUnreads} from '#test/support/state-checks.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {type ActionsFixture, actionsFixture, comparableState, freshState, loadMessages} from './actions-fixture.ts';

/** One step of the walk; actions name users and messages by their index in the fixture. */
type Step = {readonly do: (fixture: ActionsFixture) => ReversibleAction} | {readonly happens: keyof typeof otherEvents};

/** Other events between the actions. */
const otherEvents = {
  undo: async (_on: ActionsFixture, done: UndoableChange[]) => void done.pop()?.undo(),
  settle: (fixture: ActionsFixture) => fixture.syncAll(),
  redeliver: async (fixture: ActionsFixture) => {
    await fixture.hook('redeliver', {user_id: fixture.meg.id, count: 3});
    await fixture.client.pollEvents();
  },
  register: async ({client}: ActionsFixture) => {
    await client.register();
    await loadMessages(client);
  },
  offline: ({client}: ActionsFixture) =>
    client.state.connection.phase === 'offline' ? Promise.resolve() : client.goOffline(),
  online: async ({client}: ActionsFixture) => client.goOnline(),
} satisfies Record<string, (fixture: ActionsFixture, done: UndoableChange[]) => Promise<void>>;

const messageIds = (fixture: ActionsFixture, which: readonly number[]) =>
  [fixture.messageId, fixture.mentioned, fixture.direct].filter((_, index) => which.includes(index));

const op = fc.constantFrom('add' as const, 'remove' as const);
const topic = fc.constantFrom('talk', 'OTHER', 'new');
const actions = fc.oneof(
  fc.tuple(op, fc.constantFrom('read', 'starred', 'collapsed'), fc.subarray([0, 1, 2], {minLength: 1})).map(
    ([op, flag, which]) =>
      (fixture: ActionsFixture): ReversibleAction => // The arbitrary generates one of the three.
      ({kind: 'flags', op, flag: flag as 'read', ids: messageIds(fixture, which)}),
  ),
  fc.tuple(op, fc.nat(2)).map(
    ([op, which]) =>
      (fixture: ActionsFixture): ReversibleAction => ({
        kind: 'reaction',
        op,
        messageId: messageIds(fixture, [which])[0] ?? 0,
        emojiName: 'tada',
        emojiCode: '1f389',
        reactionType: 'unicode_emoji',
      }),
  ),
  fc.tuple(topic, fc.nat(3)).map(
    ([topic, policy]) =>
      ({channelId}: ActionsFixture): ReversibleAction => ({kind: 'topicPolicy', channelId, topic, policy}),
  ),
  fc
    .constantFrom(
      {setting: 'isMuted', value: true} as const,
      {setting: 'isMuted', value: false} as const,
      {setting: 'pinToTop', value: true} as const,
      {setting: 'color', value: '#123456'} as const,
      {setting: 'color', value: '#654321'} as const,
    )
    .map(
      (change) =>
        ({channelId}: ActionsFixture): ReversibleAction => ({kind: 'subscription', channelId, ...change}),
    ),
  fc.boolean().map(
    (isMuted) =>
      ({otto}: ActionsFixture): ReversibleAction => ({kind: 'mutedUser', userId: otto.id, isMuted}),
  ),
  fc
    .constantFrom<ReversibleAction>(
      {kind: 'setting', name: 'enter_sends', value: true},
      {kind: 'setting', name: 'color_scheme', value: 2},
      {kind: 'setting', name: 'presence_enabled', value: false},
      {kind: 'setting', name: 'presence_enabled', value: true},
      {kind: 'status', text: 'busy', emojiName: '', emojiCode: '', reactionType: ''},
      {kind: 'status', text: '', emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji'},
      {kind: 'alertWords', op: 'add', words: ['Tea', 'lunch']},
      {kind: 'alertWords', op: 'remove', words: ['tea']},
      {kind: 'navigationView', fragment: 'inbox', view: {isPinned: true, name: null}},
      {kind: 'navigationView', fragment: 'a/b', view: {isPinned: false, name: 'A'}},
      {kind: 'navigationView', fragment: 'a/b', view: {isPinned: true, name: 'B'}},
      {kind: 'navigationView', fragment: 'a/b'},
      {kind: 'setting', name: 'starred_message_counts', value: false},
    )
    .map((action) => () => action),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 3, arbitrary: actions.map((action): Step => ({do: action}))},
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...(Object.keys(otherEvents) as (keyof typeof otherEvents)[]))
      .map((happens): Step => ({happens})),
  },
);

test('undo: any sequence of changes, undone last first, ends in the initial state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, {minLength: 5, maxLength: 25}), async (steps) => {
      const fixture = await actionsFixture();
      const {client} = fixture;
      const [served, messages] = [await freshState(fixture), plainMessages(client.state)];
      const done: UndoableChange[] = [];
      const log: string[] = [];
      for (const each of steps) {
        if ('happens' in each) {
          log.push(each.happens);
          await otherEvents[each.happens](fixture, done);
        } else {
          const change = client.pendingChanges.perform(each.do(fixture));
          log.push(`do ${JSON.stringify(change?.action)} inverse ${JSON.stringify(change?.inverse)}`);
          if (change !== undefined) done.push(change);
        }
        checkUnreads(client.state.unreads);
      }
      while (done.length > 0) log.push(`final undo ${JSON.stringify(done.pop()?.undo()?.action)}`);
      expect(comparableState(client.state), log.join('\n')).toEqual(served);
      client.goOnline();
      await fixture.syncAll();
      expect(fixture.refusals).toEqual([]);
      expect(client.pendingChanges.pendingActions()).toEqual([]);
      expect(await freshState(fixture), log.join('\n')).toEqual(served);
      expect(comparableState(client.state), log.join('\n')).toEqual(served);
      expect(plainMessages(client.state)).toEqual(messages);
    }),
    {numRuns: fewOrAll(5, 40), seed: 20_260_101},
  );
});
