import {describe, expect, test} from 'vitest';
import {cases, prepared} from './action-cases.ts';
import {expectInStep, load} from './actions-fixture.ts';

describe.each([122, 509])('at level %i', (level) => {
  const known = cases.filter(
    ({since = 0, isBranching}) => since <= level && (isBranching === true || level === 509),
  );

  test.each(known)('$name, refused, never happened', async (one) => {
    const on = await prepared(one, level);
    const {client} = on;
    const before = client.state;
    await on.refuse(one.path, one.method);
    const done = client.deeds.do(one.action(on));
    expect(one.isDone(client.state, on)).toBe(true);
    await client.deeds.idle();
    expect(on.refusals).toMatchObject([
      {action: {kind: done?.action.kind}, problem: expect.stringMatching(/\.$/)},
    ]);
    expect(client.state).toBe(before);
    await client.hear();
    await expectInStep(on);
  });

  test.each(known)('$name survives a lost answer and a new registration', async (one) => {
    const on = await prepared(one, level);
    const {client} = on;
    await on.hook('fault', {path: one.path, method: one.method, kind: 'drop_after'});
    client.deeds.do(one.action(on));
    await client.clock.pass(200, 500);
    await client.deeds.idle();
    expect(client.deeds.pending()).toEqual([]);
    expect(on.refusals).toEqual([]);
    await client.register();
    await load(client);
    expect(one.isDone(client.state, on)).toBe(true);
    await expectInStep(on);
  });
});
