import {expect, test} from 'vitest';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, waitForState} from '#test/state/session-fixture.ts';

/** Meg in `#general › talk` with three messages of Otto, of which she has starred the second; another topic has one more. */
async function flagFixture() {
  const parts = await messageFixture();
  const {fixture, session, app, router, press, select} = parts;
  const ids: number[] = [];
  for (const content of ['one', 'two', 'three']) ids.push(await fixture.postMessage(content));
  await fixture.postMessage('elsewhere', 'tea');
  const [first = 0, second = 0, third = 0] = ids;
  await select(second);
  press('S');
  await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
  return {
    ...parts,
    ids: {first, second, third},
    mark: (key: string) => {
      router.run(app, 'view.mark');
      press(key);
    },
    starred: () => [...session.cache.state.starred].sort((a, b) => a - b),
  };
}

test('all messages of a view: those that are not starred yet are starred after a question, and undo unstars only those', async () => {
  const {fixture, session, press, says, ids, mark, starred} = await flagFixture();
  const {first, second, third} = ids;
  mark('s');
  expect(await says('Star 2 messages')).toContain('#general › talk');
  const later = await fixture.postMessage('after the question');
  await waitForState(session, hasMessage(later));
  press('y');
  await says('Starred 2 messages: #general › talk · z undo');
  await waitForState(session, () => starred().length === 3);
  expect(starred()).toEqual([first, second, third]);
  press('z');
  await waitForState(session, () => starred().length === 1);
  expect(starred()).toEqual([second]);
});

test('all messages of a view: each choice counts what it would change; where that is nothing, it cannot be confirmed', async () => {
  const {session, press, says, ids, mark, starred} = await flagFixture();
  mark('u');
  await says('Mark 3 messages as unread');
  press('n');
  mark('x');
  await says('Remove the stars of 1 message');
  press('y');
  await says('Removed the stars of 1 message: #general › talk · z undo');
  await waitForState(session, () => starred().length === 0);
  mark('x');
  await says('Nothing is starred here.');
  press('y', 'Esc', 'z');
  await waitForState(session, () => starred().length === 1);
  expect(starred()).toEqual([ids.second]);
});
