import {describe, expect, test} from 'vitest';
import {actionCases, prepareCase} from './action-cases.ts';
import {expectInSync, loadMessages} from './actions-fixture.ts';

describe.each([122, 509])('at level %i', (level) => {
  const known = actionCases.filter(
    ({since = 0, isBranching}) => since <= level && (isBranching === true || level === 509),
  );

  test.each(known)('$name, refused, leaves no trace', async (one) => {
    const on = await prepareCase(one, level);
    const {client} = on;
    const before = client.state;
    await on.refuse(one.path, one.method);
    const done = client.pendingChanges.perform(one.action(on));
    expect(one.isDone(client.state, on)).toBe(true);
    await client.pendingChanges.idle();
    expect(on.refusals).toMatchObject([
      {action: {kind: done?.action.kind}, problem: expect.stringMatching(/\.$/)},
    ]);
    expect(client.state).toBe(before);
    await client.pollEvents();
    await expectInSync(on);
  });

  test.each(known)('$name survives a lost response and a new registration', async (one) => {
    const on = await prepareCase(one, level);
    const {client} = on;
    await on.hook('fault', {path: one.path, method: one.method, kind: 'drop_after'});
    client.pendingChanges.perform(one.action(on));
    await client.clock.pass(200, 500);
    await client.pendingChanges.idle();
    expect(client.pendingChanges.pendingActions()).toEqual([]);
    expect(on.refusals).toEqual([]);
    await client.register();
    await loadMessages(client);
    expect(one.isDone(client.state, on)).toBe(true);
    await expectInSync(on);
  });
});
