import {describe, expect, test} from 'vitest';
import {fewOf} from '#test/support/tier.ts';
import {actionCases, prepareCase} from './action-cases.ts';
import {expectInSync, loadMessages} from './actions-fixture.ts';

describe.each(fewOf([509, 122]))('refused reversible actions at level %i', (level) => {
  const known = actionCases.filter(
    ({since = 0, isBranching}) => since <= level && (isBranching === true || level === 509),
  );

  test.each(known)('$name, refused, leaves no trace', async (actionCase) => {
    const fixture = await prepareCase(actionCase, level);
    const {client} = fixture;
    const before = client.state;
    await fixture.refuse(actionCase.path, actionCase.method);
    const done = client.pendingChanges.perform(actionCase.action(fixture));
    expect(actionCase.isDone(client.state, fixture)).toBe(true);
    await client.pendingChanges.idle();
    expect(fixture.refusals).toMatchObject([
      {action: {kind: done?.action.kind}, problem: expect.stringMatching(/\.$/)},
    ]);
    expect(client.state).toBe(before);
    await client.pollEvents();
    await expectInSync(fixture);
  });

  test.each(known)('$name survives a lost response and a new registration', async (actionCase) => {
    const fixture = await prepareCase(actionCase, level);
    const {client} = fixture;
    await fixture.hook('fault', {path: actionCase.path, method: actionCase.method, kind: 'drop_after'});
    client.pendingChanges.perform(actionCase.action(fixture));
    await client.clock.pass(200, 500);
    await client.pendingChanges.idle();
    expect(client.pendingChanges.pendingActions()).toEqual([]);
    expect(fixture.refusals).toEqual([]);
    await client.register();
    await loadMessages(client);
    expect(actionCase.isDone(client.state, fixture)).toBe(true);
    await expectInSync(fixture);
  });
});
