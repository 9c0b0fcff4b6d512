import {describe, expect, test} from 'vitest';
import {pollState} from '#content/widgets/widgets.ts';
import {reversibleKinds} from '#state/actions/reversible-actions.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {plainMessages} from '#test/contract/plain-state.ts';
import {fewOf} from '#test/support/tier.ts';
import {actionCases, prepareCase} from './action-cases.ts';
import {actionsFixture, comparableState, expectInSync, freshState} from './actions-fixture.ts';

/** Returns the messages with their polls as they are shown: the record of a vote that was removed stays. */
function shownMessages(state: AccountState): unknown {
  const polls = [...state.messages.byId.values()].map(({submessages, senderId}) => pollState(submessages, senderId));
  const bare = [...state.messages.byId].map(([id, message]) => [id, {...message, submessages: []}] as const);
  return {polls, messages: plainMessages({...state, messages: {...state.messages, byId: SortedMap.from(bare)}})};
}

test('reversible actions: every kind has a test case', async () => {
  const fixture = await actionsFixture({isBare: true});
  expect(new Set(actionCases.map((actionCase) => actionCase.action(fixture).kind))).toEqual(new Set(reversibleKinds));
});

describe.each(fewOf([509, 371, 122]))('reversible actions at level %i', (level) => {
  const known = actionCases.filter(
    ({since = 0, isBranching}) => since <= level && (isBranching === true || level === 122 || level === 509),
  );
  const unknown = actionCases.filter(({since = 0}) => since > level);

  test.each(known)('$name is shown at once, is confirmed, and is undone without a trace', async (actionCase) => {
    const fixture = await prepareCase(actionCase, level);
    const {client} = fixture;
    const [before, messages] = [comparableState(client.state), shownMessages(client.state)];
    const served = await freshState(fixture);
    expect(actionCase.isDone(client.state, fixture)).toBe(false);

    const done = client.pendingChanges.perform(actionCase.action(fixture));
    expect(actionCase.isDone(client.state, fixture)).toBe(true);
    await client.pendingChanges.idle();
    expect(actionCase.isDone(client.state, fixture)).toBe(true);
    await client.pollEvents();
    expect(actionCase.isDone(client.state, fixture)).toBe(true);
    expect(client.state).toBe(client.cache.base);
    await expectInSync(fixture);
    if (actionCase.isNotInSnapshot !== true) expect(await freshState(fixture)).not.toEqual(served);
    expect(client.pendingChanges.perform(actionCase.action(fixture))).toBeUndefined();

    expect(done?.undo()).toBeDefined();
    expect(comparableState(client.state)).toEqual(before);
    expect(shownMessages(client.state)).toEqual(messages);
    await fixture.syncAll();
    expect(client.state).toBe(client.cache.base);
    expect(comparableState(client.state)).toEqual(before);
    expect(shownMessages(client.state)).toEqual(messages);
    expect(await freshState(fixture)).toEqual(served);
    expect(done?.undo()).toBeUndefined();
    expect(fixture.refusals).toEqual([]);
  });

  test.each(unknown)('$name is refused with a sentence, and is not shown afterwards', async (actionCase) => {
    const fixture = await prepareCase({...actionCase, prepare: async () => {}}, level);
    const before = fixture.client.state;
    const done = fixture.client.pendingChanges.perform(actionCase.action(fixture));
    await fixture.client.pendingChanges.idle();
    // Removing something that does not exist has no effect.
    if (done === undefined) return;
    expect(fixture.refusals).toMatchObject([{problem: expect.stringContaining(`This server has level ${level}.`)}]);
    expect(fixture.client.state).toBe(before);
  });
});
