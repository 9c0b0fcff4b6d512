import {expect, test} from 'vitest';
import {visibleRowsOf} from '#app/lists/visible-rows.ts';
import {movedConversationListener} from '#app/navigation/follow-moved-conversation.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {addUnreads, removeUnreads} from '#state/unreads/unreads.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';
import {backend, inTopic, type TriageFixtureOptions, triageFixture} from './triage-fixture.ts';

/** What is renamed is heard of as the session tells it. */
function renamingStage(parts?: TriageFixtureOptions) {
  const stage = triageFixture(parts);
  const {app, session} = stage;
  const attendant = movedConversationListener(() => app);
  const rename = (
    ids: readonly number[],
    from: string,
    to: string,
    propagateMode: 'change_all' | 'change_later' = 'change_all',
  ) => {
    const event = buildUpdateMessageEvent({
      message_id: ids[0] ?? 0,
      message_ids: [...ids],
      stream_id: backend,
      orig_subject: from,
      subject: to,
      propagate_mode: propagateMode,
    });
    session.cache.apply(event);
    attendant.onEvents?.([event]);
  };
  /** The state of a new registration has it under another name; no event says so. */
  const renameUnheard = (ids: readonly number[], to: string) => {
    const {base} = session.cache;
    const conversation = topicConversation(backend, to);
    const moved = ids.map((id) => inTopic(id, backend, to));
    const unread = ids.filter((id) => base.unreads.byId.has(id));
    const unreads = addUnreads(
      removeUnreads(base.unreads, unread),
      unread.map((id) => ({id, conversation, isMention: false})),
    );
    const state = {...base, unreads, messages: withMessages(base.messages, moved)};
    session.cache.apply({type: 'state_replaced', state});
    attendant.onRegistered?.(false);
  };
  return {
    ...stage,
    rename,
    renameUnheard,
    show: () => app.frames.paintNow(),
    labels: () => visibleRowsOf(app.frame, 'inbox').rows.map(({label}) => label),
    cursorLine: () => stage.pane().findIndex((line) => line.startsWith('▌')),
  };
}

test('a topic that is resolved under the cursor keeps its row, its place and the cursor', () => {
  const {press, at, rename, show, pane, unread, cursorLine} = renamingStage();
  press('j', 'j');
  expect(at()).toBe('#backend › logs');
  const before = cursorLine();
  rename([7], 'logs', '✔ logs');
  show();
  expect(cursorLine()).toBe(before);
  expect(pane()[before]).toMatch(/#backend › logs .*✓/);
  expect(pane().join('\n')).not.toMatch(/read elsewhere|new/);
  press('e');
  expect(unread()).not.toContain(7);
});

/** `logs` has the cursor and is `log files` since the last picture; gives the row after it. */
function renamedUnderTheCursor({
  press,
  labels,
  rename,
}: ReturnType<typeof renamingStage>): string | undefined {
  press('j', 'j');
  const next = labels()[labels().indexOf('#backend › logs') + 1];
  rename([7], 'logs', 'log files');
  return next;
}

function finishesTheRenamed(
  {press, at, show, unread}: ReturnType<typeof renamingStage>,
  next: string | undefined,
): void {
  press('e');
  show();
  expect(unread()).not.toContain(7);
  expect(at()).toBe(next);
  press('z');
  expect(at()).toBe('#backend › log files');
}

test('a key that comes between the renaming and the picture of it is about the row, and goes on to the next', () => {
  const stage = renamingStage();
  const next = renamedUnderTheCursor(stage);
  finishesTheRenamed(stage, next);
});

test('keys that come in one read before the picture find what the row had under its old name', () => {
  const {press, type, rename, unread} = renamingStage();
  press('j', 'j');
  rename([7], 'logs', 'log files');
  type('jke');
  expect(unread()).not.toContain(7);
});

test('a topic that is renamed elsewhere in the list stays where it is, and stays selected', () => {
  const {press, rename, show, labels, app} = renamingStage();
  press('j', 'j', 'v');
  const before = labels();
  rename([7], 'logs', 'log files');
  show();
  expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  expect([...app.screen.lists.inbox.selected]).toEqual([topicConversationKey(backend, 'log files')]);
});

test('a row goes along with what is unread in it when only that is moved', () => {
  const {press, at, rename, show, pane, cursorLine} = renamingStage();
  press('j', 'j');
  const before = cursorLine();
  rename([7], 'logs', 'disk is full', 'change_later');
  show();
  expect(at()).toBe('#backend › disk is full');
  expect(cursorLine()).toBe(before);
  expect(pane().join('\n')).not.toMatch(/read elsewhere/);
});

test('a topic that was renamed while nobody was listening keeps its row, its place and the cursor', () => {
  const {press, at, renameUnheard, show, pane, labels, cursorLine} = renamingStage();
  press('j', 'j');
  const [before, line] = [labels(), cursorLine()];
  renameUnheard([7], 'log files');
  show();
  expect(at()).toBe('#backend › log files');
  expect(cursorLine()).toBe(line);
  expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  expect(pane().join('\n')).not.toMatch(/read elsewhere|new/);
});

test('one that was read elsewhere under the cursor and is renamed then stays under it', () => {
  const {press, at, rename, show, readElsewhere} = renamingStage();
  press('j', 'j');
  readElsewhere(7);
  rename([7], 'logs', 'log files');
  show();
  expect(at()).toBe('#backend › log files');
});

test.each(['heard', 'unheard'])(
  'what was done with a topic that is renamed since, %s, comes back where it was, under its new name',
  (how) => {
    const {press, at, rename, renameUnheard, show, labels, pane} = renamingStage();
    press('j', 'j');
    const before = labels();
    press('e', 'k');
    if (how === 'heard') rename([7], 'logs', 'log files');
    else renameUnheard([7], 'log files');
    show();
    press('z');
    expect(at()).toBe('#backend › log files');
    expect(pane().join('\n')).not.toMatch(/ new/);
    if (how === 'heard') expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  },
);

test('what was put off is put off under its new name, and comes back under that', () => {
  const {press, type, at, rename, show, labels, unread} = renamingStage();
  press('j', 'j', 'b');
  type('1');
  expect(labels()).not.toContain('#backend › logs');
  rename([7], 'logs', 'log files');
  show();
  expect(labels().join('\n')).not.toMatch(/logs|log files/);
  press('z');
  expect(at()).toBe('#backend › log files');
  expect(unread()).toContain(7);
});

test('a topic that is renamed to one that is there joins that, and nothing else moves', () => {
  const {press, rename, show, labels} = renamingStage();
  press('j');
  const before = labels();
  rename([7], 'logs', 'freeze');
  show();
  expect(labels()).toEqual(before.filter((title) => title !== '#backend › logs'));
});

test('a key about a row is not about what was moved into it since the picture', () => {
  const {press, at, rename, unread} = renamingStage();
  expect(at()).toBe('#backend › freeze');
  rename([7], 'logs', 'freeze');
  press('e');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('a selected row that joins another does not select that', () => {
  const {press, rename, show, app} = renamingStage();
  press('j', 'j', 'v');
  rename([7], 'logs', 'freeze');
  show();
  expect([...app.screen.lists.inbox.selected]).toEqual([]);
});

test.each(['heard', 'moved', 'unheard'])(
  'what was put off and joins something that waits, %s, does not take that away',
  (how) => {
    const {press, type, rename, renameUnheard, show, labels, app, session} = renamingStage();
    press('j', 'j', 'b');
    type('1');
    session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
    show();
    if (how === 'heard') rename([7], 'logs', 'freeze');
    else if (how === 'moved') rename([7], 'logs', 'freeze', 'change_later');
    else renameUnheard([7], 'freeze');
    show();
    expect(labels()).toContain('#backend › freeze');
    expect(app.screen.inbox.snoozes.size).toBe(0);
  },
);

test('other accounts that are painted meanwhile change nothing about it', () => {
  const stage = renamingStage();
  const before = stage.app.screen.inbox.order.size;
  const next = renamedUnderTheCursor(stage);
  for (const other of [triageFixture(), triageFixture()]) other.press('j');
  finishesTheRenamed(stage, next);
  expect(stage.app.screen.inbox.order.size).toBe(before);
});
