import {expect, test} from 'vitest';
import {isReadByShowing} from '#app/message-pane/mark-shown-read.ts';
import {openNarrow, openView} from '#app/navigation/navigation.ts';
import {undoLatest} from '#app/undo/undo.ts';
import {initialState} from '#state/initial-state.ts';
import {channelNarrow, directNarrow, everythingNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import * as eg from '#test/support/state-builders.ts';
import {noon, several, type TimelineFrameParts, talk} from '#test/ui/message-pane/timeline-frame.ts';
import {messagesView} from '#ui/core/frame.ts';
import {timelineFixture, unreadEvent} from './timeline-fixture.ts';

const arrivals = (from: number, count: number) =>
  several(count, (at) => ({id: from + at, content: `message ${from + at}`, timestamp: noon + 60 * at}));
const idsOf = (messages: readonly {readonly id: number}[]) => messages.map(({id}) => id);

type Fixture = ReturnType<typeof timelineFixture>;
const unread = ({app}: Fixture) => [...app.state.unreads.byId.keys()];

function arrive(fixture: Fixture, count: number, from = 101): void {
  const messages = arrivals(from, count);
  fixture.join('newer', messages, idsOf(messages));
}

const readFixture = (parts: TimelineFrameParts & Parameters<typeof timelineFixture>[0] = {}) =>
  timelineFixture({
    messages: several(100),
    account: {subscriptions: eg.subscribed(eg.subscription({channelId: 1}))},
    ...parts,
  });

test('read by showing: visible messages become read, those below the pane do not', () => {
  const fixture = readFixture();
  arrive(fixture, 2);
  expect(unread(fixture)).toEqual([]);
  arrive(fixture, 40, 103);
  const last = fixture.shown()?.window?.rows.at(-1)?.key ?? 0;
  expect(unread(fixture)[0]).toBeGreaterThanOrEqual(Number(last));
  expect(unread(fixture).at(-1)).toBe(142);
});

test('read by showing: nothing without the window focus; messages that arrived then get an unread separator', () => {
  const fixture = readFixture();
  fixture.app.set({hasWindowFocus: false});
  arrive(fixture, 2);
  expect(unread(fixture)).toEqual([101, 102]);
  fixture.show();
  expect(fixture.lines().join('\n')).toContain('── 2 unread ─');
  fixture.app.set({hasWindowFocus: true});
  fixture.show();
  expect(unread(fixture)).toEqual([]);
  expect(fixture.lines().join('\n')).toContain('── 2 unread ─');
});

test('read by showing: with a screen reader only messages up to the selected one become read', () => {
  const fixture = readFixture();
  fixture.app.setDisplay({glyphs: 'words'});
  fixture.show();
  arrive(fixture, 3);
  expect(unread(fixture)).toEqual([101, 102, 103]);
  fixture.press('j');
  expect(unread(fixture)).toEqual([102, 103]);
  fixture.press('j', 'j');
  expect(unread(fixture)).toEqual([]);
});

test('read by showing: nothing under an overlay, while exploring, or read-only', () => {
  for (const info of [{isExploring: true}, {isReadOnly: true}]) {
    const fixture = readFixture({info});
    arrive(fixture, 1);
    fixture.press('G');
    expect(unread(fixture)).toEqual([101]);
  }
  const fixture = readFixture();
  fixture.app.openOverlay({kind: 'card', top: 0, card: {id: 'x', title: '', lines: () => []}});
  arrive(fixture, 1);
  expect(unread(fixture)).toEqual([101]);
});

test('read by showing: nothing under the list that covers the messages of a narrow terminal, until it is closed', () => {
  const fixture = readFixture({size: '60x24'});
  fixture.app.set({focus: 'channels'});
  arrive(fixture, 1);
  expect(unread(fixture)).toEqual([101]);
  fixture.app.set({focus: 'main'});
  fixture.show();
  expect(unread(fixture)).toEqual([]);
});

test('read by showing: nothing in a view that was opened to be kept unread, until its end is gone to', () => {
  const fixture = readFixture({state: {isPeek: true}});
  arrive(fixture, 1);
  expect(unread(fixture)).toEqual([101]);
  fixture.press('G');
  arrive(fixture, 1, 102);
  expect(unread(fixture)).toEqual([]);
});

test('read by showing: a message is read once its first and last line were shown', () => {
  const fixture = readFixture();
  const content = Array.from({length: 14}, (_, at) => `line ${at}`).join('\n');
  const messages = [101, 102, 103].map((id) => eg.message({id, content, timestamp: noon + id}));
  fixture.join('newer', messages, idsOf(messages));
  expect(unread(fixture)).toContain(103);
  const seen: number[] = [];
  for (let i = 0; i < 4; i++) {
    fixture.press('J');
    seen.push(unread(fixture).length);
  }
  expect(seen.at(-1)).toBe(0);
});

test('read by showing: a message marked unread stays unread until the next visit', () => {
  const fixture = readFixture();
  arrive(fixture, 3);
  fixture.press('j', 'U');
  expect(unread(fixture)).toEqual([101, 102, 103]);
  fixture.press('k', 'j', 'J');
  expect(unread(fixture)).toEqual([101, 102, 103]);
  openNarrow(fixture.app, narrowIs('starred'));
  fixture.show();
  openNarrow(fixture.app, talk);
  fixture.show();
  expect(unread(fixture)).toEqual([]);
});

test('G marks the whole conversation read, as one undo step', () => {
  const fixture = readFixture({settings: {markRead: 'on-done'}});
  arrive(fixture, 50);
  expect(unread(fixture)).toHaveLength(50);
  fixture.press('G');
  expect(unread(fixture)).toEqual([]);
  expect(fixture.app.screen.toast?.text).toBe('Marked #backend › talk read (50) · z undo');
  undoLatest(fixture.app);
  fixture.show();
  expect(unread(fixture)).toHaveLength(50);
});

test('Space pages to the end, then marks the conversation read and opens the next unread', () => {
  const fixture = readFixture({settings: {markRead: 'on-done'}});
  const other = eg.message({id: 300, topic: 'other', timestamp: noon});
  fixture.session.cache.apply(
    {type: 'messages_fetched', messages: [other], unreadIds: [], since: undefined, page: undefined},
    unreadEvent([other]),
  );
  arrive(fixture, 30);
  for (let i = 0; i < 10 && unread(fixture).length > 1; i++) fixture.press('Space');
  expect(unread(fixture)).toEqual([300]);
  expect(fixture.app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operand: 1}, {operand: 'other'}],
  });
});

test('with read_on = page, Space stops at the end', () => {
  const fixture = readFixture({settings: {markRead: 'on-done', readOn: 'page'}});
  fixture.press('Space');
  expect(fixture.app.screen.toast?.text).toBe('End of the conversation');
});

test('isReadByShowing: follows the account’s policy', () => {
  const at = (policy: number, narrow: Narrow, markRead: 'server' | 'on-view' | 'on-done' = 'server') =>
    isReadByShowing({settings: {...initialState.settings, webMarkReadOnScrollPolicy: policy}}, narrow, markRead);
  const search: Narrow = [{operator: 'search', operand: 'x'}];
  expect([talk, directNarrow([11]), channelNarrow(1), everythingNarrow].map((narrow) => at(1, narrow))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([talk, directNarrow([11]), channelNarrow(1), everythingNarrow].map((narrow) => at(2, narrow))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(at(3, talk)).toBe(false);
  expect([search, narrowIs('starred')].map((narrow) => at(1, narrow))).toEqual([false, false]);
  expect([at(1, talk, 'on-done'), at(3, talk, 'on-view')]).toEqual([false, true]);
  const bySender = [...channelNarrow(1), {operator: 'sender', operand: 11}];
  expect([at(1, bySender), at(1, bySender, 'on-view')]).toEqual([false, false]);
});

test('read by showing: the undo history has one entry for the visit, which the undo key skips', () => {
  const fixture = readFixture();
  arrive(fixture, 2);
  arrive(fixture, 1, 103);
  expect(unread(fixture)).toEqual([]);
  const {undoStack} = fixture.app;
  expect(undoStack.list().map(({label}) => label)).toEqual(['Read by opening (3)']);
  undoLatest(fixture.app);
  expect(fixture.app.screen.toast?.text).toBe('Nothing to undo.');
  const [entry] = undoStack.list();
  if (entry !== undefined) undoStack.undoOne(entry);
  fixture.show();
  expect(unread(fixture)).toEqual([101, 102, 103]);
  expect(undoStack.list()).toEqual([]);
});

test('unread separator: it is gone when a conversation without unread messages is opened again', () => {
  const fixture = readFixture();
  fixture.app.set({hasWindowFocus: false});
  arrive(fixture, 2);
  fixture.show();
  fixture.app.set({hasWindowFocus: true});
  fixture.show();
  expect(fixture.lines().join('\n')).toContain('── 2 unread ─');
  openNarrow(fixture.app, everythingNarrow);
  openNarrow(fixture.app, talk);
  fixture.show();
  expect(fixture.lines().join('\n')).not.toContain('unread');
});

test('search: n and N walk the hits, stay in the search, and mark nothing read', () => {
  const narrow = [{operator: 'search', operand: 'message'}] as const;
  const fixture = readFixture({narrow});
  openView(fixture.app, messagesView(narrow, 'message'));
  fixture.show();
  arrive(fixture, 3);
  const before = fixture.shown()?.selected;
  fixture.press('N');
  expect(fixture.shown()?.selected).toBe(Number(before) - 1);
  fixture.press('n');
  expect(fixture.shown()?.selected).toBe(before);
  expect(fixture.app.screen.view).toMatchObject({query: 'message'});
  expect(unread(fixture)).toEqual([101, 102, 103]);
});
