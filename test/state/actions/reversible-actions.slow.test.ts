import {describe, expect, test} from 'vitest';
import {reversibleKinds} from '#state/actions/reversible-actions.ts';
import {plainMessages} from '#test/contract/plain-state.ts';
import {actionCases, prepareCase} from './action-cases.ts';
import {actionsFixture, comparableState, expectInSync, freshState} from './actions-fixture.ts';

test('reversible actions: every kind has a test case', async () => {
  const on = await actionsFixture({isBare: true});
  expect(new Set(actionCases.map((one) => one.action(on).kind))).toEqual(new Set(reversibleKinds));
});

describe.each([122, 371, 509])('at level %i', (level) => {
  const known = actionCases.filter(
    ({since = 0, isBranching}) => since <= level && (isBranching === true || level === 122 || level === 509),
  );
  const unknown = actionCases.filter(({since = 0}) => since > level);

  test.each(known)('$name is shown at once, is confirmed, and is undone without a trace', async (one) => {
    const on = await prepareCase(one, level);
    const {client} = on;
    const [before, messages] = [comparableState(client.state), plainMessages(client.state)];
    const served = await freshState(on);
    expect(one.isDone(client.state, on)).toBe(false);

    const done = client.pendingChanges.perform(one.action(on));
    expect(one.isDone(client.state, on)).toBe(true);
    await client.pendingChanges.idle();
    expect(one.isDone(client.state, on)).toBe(true);
    await client.pollEvents();
    expect(one.isDone(client.state, on)).toBe(true);
    expect(client.state).toBe(client.cache.base);
    await expectInSync(on);
    if (one.isUntold !== true) expect(await freshState(on)).not.toEqual(served);
    expect(client.pendingChanges.perform(one.action(on))).toBeUndefined();

    expect(done?.undo()).toBeDefined();
    expect(comparableState(client.state)).toEqual(before);
    expect(plainMessages(client.state)).toEqual(messages);
    await on.settle();
    expect(client.state).toBe(client.cache.base);
    expect(comparableState(client.state)).toEqual(before);
    expect(plainMessages(client.state)).toEqual(messages);
    expect(await freshState(on)).toEqual(served);
    expect(done?.undo()).toBeUndefined();
    expect(on.refusals).toEqual([]);
  });

  test.each(unknown)('$name is refused with a sentence, and is not shown afterwards', async (one) => {
    const on = await prepareCase({...one, prepare: async () => {}}, level);
    const before = on.client.state;
    const done = on.client.pendingChanges.perform(one.action(on));
    await on.client.pendingChanges.idle();
    // Removing something that does not exist has no effect.
    if (done === undefined) return;
    expect(on.refusals).toMatchObject([{problem: expect.stringContaining(`feature level ${level}`)}]);
    expect(on.client.state).toBe(before);
  });
});
