import {expect, test} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {backend, memoryStore, noonMs, triageFixture, web} from '#test/ui/inbox/triage-fixture.ts';
import type {Reversal} from '#ui/core/redo-stack.ts';
import type {UndoRecord} from '#ui/core/undo-record.ts';
import {openConversation} from '#ui/navigation/navigation.ts';
import {undoLatest} from '#ui/undo/undo.ts';

const [freeze, css, login] = [
  topicConversation(backend, 'freeze'),
  topicConversation(web, 'css'),
  topicConversation(web, 'login'),
];

/** An action that starred a message: undoing it removes the star. */
function starred(keys: readonly string[]): UndoRecord {
  const steps = [{kind: 'change', inverse: {kind: 'flags', flag: 'starred', op: 'add', ids: [1]}}] as const;
  return {label: 'Unstarred', at: noonMs, keys, steps};
}

test.each([
  ['of one conversation, undo returns to it', [`c${backend}:freeze`], freeze],
  ['of several conversations, undo stays where the user is', [`c${backend}:freeze`, `c${web}:login`], css],
])('undo: %s', (_what, keys, shown) => {
  const {app} = triageFixture();
  for (const conversation of [login, freeze, css]) openConversation(app, conversation);
  app.undoStack.pushRecord(starred(keys));
  undoLatest(app);
  expect(app.state.starred.has(1)).toBe(true);
  expect(app.screen.view).toMatchObject({
    narrow: [{operand: shown.channelId}, {operand: shown.topic}],
  });
});

test('undo after a restart: an action whose undo failed is still there', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const {undoStack} = first.app;
  let reversal: Reversal | undefined;
  const undo = () => {
    reversal = undoStack.awaitReversal();
    return 'Starring again…';
  };
  undoStack.push({label: 'Unstarred', record: starred([]), undo});
  undoLatest(first.app);
  // The removal is on disk before the server refuses.
  await Promise.resolve();
  expect(store.keyValues.keysWithPrefix('undo ')).toEqual([]);
  reversal?.fail();
  first.app.end();
  const second = triageFixture({clock, store});
  expect(second.app.undoStack.list().map(({label}) => label)).toEqual(['Unstarred']);
});
