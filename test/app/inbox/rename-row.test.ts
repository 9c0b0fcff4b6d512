import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {movedConversationListener} from '#app/watchers/follow-moved-conversation.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {addUnreads, removeUnreads} from '#state/unreads/unreads.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {backend, inTopic, type TriageFixtureOptions, triageFixture} from './triage-fixture.ts';

/** An inbox that follows renames, by event or by a new registration. */
function renamingFixture(options?: TriageFixtureOptions) {
  const fixture = triageFixture(options);
  const {app, session} = fixture;
  const listener = movedConversationListener(() => app);
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
    listener.onEvents?.([event]);
  };
  /** Renames a topic in the state of a new registration, without an event. */
  const renameOffline = (ids: readonly number[], to: string) => {
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
    listener.onRegistered?.(false);
  };
  return {
    ...fixture,
    rename,
    renameOffline,
    show: () => app.frames.paintNow(),
    labels: () => visibleRowsOf(app.frame, inboxList).rows.flatMap(({kind, label}) => (kind === 'item' ? [label] : [])),
    cursorLine: () => fixture.pane().findIndex((line) => line.startsWith('▌')),
  };
}

test('renamed row: a topic resolved under the cursor keeps its row, its position and the cursor', () => {
  const {press, at, rename, show, pane, unread, cursorLine} = renamingFixture();
  press('j', 'j');
  expect(at()).toBe('#backend › logs');
  const before = cursorLine();
  rename([7], 'logs', '✔ logs');
  show();
  expect(cursorLine()).toBe(before);
  expect(pane()[before]).toMatch(/ logs .*✓/);
  expect(pane().join('\n')).not.toMatch(/read elsewhere|\bnew\b/);
  press('e');
  expect(unread()).not.toContain(7);
});

/** Renames `logs` under the cursor to `log files` without a paint; returns the label of the next row. */
function renameUnderCursor({press, labels, rename}: ReturnType<typeof renamingFixture>): string | undefined {
  press('j', 'j');
  const next = labels()[labels().indexOf('#backend › logs') + 1];
  rename([7], 'logs', 'log files');
  return next;
}

function expectRenamedRowDone(
  {press, at, show, unread}: ReturnType<typeof renamingFixture>,
  next: string | undefined,
): void {
  press('e');
  show();
  expect(unread()).not.toContain(7);
  expect(at()).toBe(next);
  press('z');
  expect(at()).toBe('#backend › log files');
}

test('renamed row: a key between the rename and its paint acts on the row and advances to the next', () => {
  const fixture = renamingFixture();
  const next = renameUnderCursor(fixture);
  expectRenamedRowDone(fixture, next);
});

test('renamed row: keys in one read before the paint act on the row under its old name', () => {
  const {press, type, rename, unread} = renamingFixture();
  press('j', 'j');
  rename([7], 'logs', 'log files');
  type('jke');
  expect(unread()).not.toContain(7);
});

test('renamed row: a topic renamed elsewhere in the list keeps its position and its selection', () => {
  const {press, rename, show, labels, app} = renamingFixture();
  press('j', 'j', 'v', 'j');
  const before = labels();
  rename([7], 'logs', 'log files');
  show();
  expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  expect([...app.screen.lists.inbox.selected]).toEqual([topicConversationKey(backend, 'log files')]);
});

test('renamed row: a row follows its unread messages when only those are moved', () => {
  const {press, at, rename, show, pane, cursorLine} = renamingFixture();
  press('j', 'j');
  const before = cursorLine();
  rename([7], 'logs', 'disk is full', 'change_later');
  show();
  expect(at()).toBe('#backend › disk is full');
  expect(cursorLine()).toBe(before);
  expect(pane().join('\n')).not.toMatch(/read elsewhere/);
});

test('renamed row: a topic renamed while offline keeps its row, its position and the cursor', () => {
  const {press, at, renameOffline, show, pane, labels, cursorLine} = renamingFixture();
  press('j', 'j');
  const [before, line] = [labels(), cursorLine()];
  renameOffline([7], 'log files');
  show();
  expect(at()).toBe('#backend › log files');
  expect(cursorLine()).toBe(line);
  expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  expect(pane().join('\n')).not.toMatch(/read elsewhere|\bnew\b/);
});

test('renamed row: a row that was read under the cursor and then renamed stays under it', () => {
  const {press, at, rename, show, readElsewhere} = renamingFixture();
  press('j', 'j');
  readElsewhere(7);
  rename([7], 'logs', 'log files');
  show();
  expect(at()).toBe('#backend › log files');
});

test.each(['by event', 'offline'])(
  'renamed row: undo of an action on a topic that was renamed since (%s) restores the row under its new name',
  (how) => {
    const {press, at, rename, renameOffline, show, labels, pane} = renamingFixture();
    press('j', 'j');
    const before = labels();
    press('e', 'k');
    if (how === 'by event') rename([7], 'logs', 'log files');
    else renameOffline([7], 'log files');
    show();
    press('z');
    expect(at()).toBe('#backend › log files');
    expect(pane().join('\n')).not.toMatch(/\bnew\b/);
    if (how === 'by event') expect(labels()).toEqual(before.map((title) => title.replace('logs', 'log files')));
  },
);

test('renamed row: a snoozed topic stays snoozed under its new name and returns under it', () => {
  const {press, type, at, rename, show, labels, unread} = renamingFixture();
  press('j', 'j', 'b');
  type('h');
  expect(labels()).not.toContain('#backend › logs');
  rename([7], 'logs', 'log files');
  show();
  expect(labels().join('\n')).not.toMatch(/logs|log files/);
  press('z');
  expect(at()).toBe('#backend › log files');
  expect(unread()).toContain(7);
});

test('renamed row: a topic renamed to an existing one joins it, and nothing else moves', () => {
  const {press, rename, show, labels} = renamingFixture();
  press('j');
  const before = labels();
  rename([7], 'logs', 'freeze');
  show();
  expect(labels()).toEqual(before.filter((title) => title !== '#backend › logs'));
});

test('renamed row: a key on a row does not act on messages moved into it since the paint', () => {
  const {press, at, rename, unread} = renamingFixture();
  expect(at()).toBe('#backend › freeze');
  rename([7], 'logs', 'freeze');
  press('e');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('renamed row: a selected row that joins another does not select it', () => {
  const {press, rename, show, app} = renamingFixture();
  press('j', 'j', 'v', 'j');
  rename([7], 'logs', 'freeze');
  show();
  expect([...app.screen.lists.inbox.selected]).toEqual([]);
});

test.each(['by event', 'moved', 'offline'])(
  'renamed row: a snoozed conversation that joins an unread one (%s) does not hide it',
  (how) => {
    const {press, type, rename, renameOffline, show, labels, app, session} = renamingFixture();
    press('j', 'j', 'b');
    type('h');
    session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
    show();
    if (how === 'by event') rename([7], 'logs', 'freeze');
    else if (how === 'moved') rename([7], 'logs', 'freeze', 'change_later');
    else renameOffline([7], 'freeze');
    show();
    expect(labels()).toContain('#backend › freeze');
    expect(app.screen.inbox.snoozes.size).toBe(0);
  },
);

test('renamed row: painting other accounts meanwhile changes nothing', () => {
  const fixture = renamingFixture();
  const before = fixture.app.screen.inbox.order.size;
  const next = renameUnderCursor(fixture);
  for (const other of [triageFixture(), triageFixture()]) other.press('j');
  expectRenamedRowDone(fixture, next);
  expect(fixture.app.screen.inbox.order.size).toBe(before);
});

test('moved conversation: the user is told who renamed the open topic, but not what they did themselves', () => {
  const said = (userId: number) => {
    const {app, session, toast} = triageFixture();
    openConversation(app, topicConversation(backend, 'logs'));
    const moved = {message_id: 7, message_ids: [7], stream_id: backend, orig_subject: 'logs', subject: 'errors'};
    const event = {...buildUpdateMessageEvent({...moved, propagate_mode: 'change_all'}), user_id: userId};
    session.cache.apply(event);
    movedConversationListener(() => app).onEvents?.([event]);
    expect(shownConversation(app.screen)).toMatchObject({topic: 'errors'});
    return toast();
  };
  expect(said(11)).toBe('Carol Diaz renamed this topic to errors');
  expect(said(eg.selfId)).toBeUndefined();
});

test('moved conversation: a draft moves along, but not in a session that changes nothing, nor the text that is being written', () => {
  const targets = (info: {readonly isReadOnly?: boolean; readonly isExploring?: boolean}) => {
    const {app, session, rename} = renamingFixture({info});
    session.drafts.edit(undefined, {target: topicConversation(backend, 'logs'), content: 'begun'});
    rename([7], 'logs', 'errors');
    expect(app.state.messages.byId.get(7)).toMatchObject({topic: 'errors'});
    return session.drafts.all().map(({target}) => target);
  };
  expect(targets({})).toMatchObject([{topic: 'errors'}]);
  expect(targets({isReadOnly: true})).toMatchObject([{topic: 'logs'}]);
  expect(targets({isExploring: true})).toMatchObject([{topic: 'logs'}]);
});
