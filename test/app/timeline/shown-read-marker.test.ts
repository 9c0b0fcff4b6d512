import {expect, test} from 'vitest';
import {openNarrow} from '#app/navigation/navigation.ts';
import {isReadByShowing} from '#app/timeline/shown-read-marker.ts';
import {initialState} from '#state/initial-state.ts';
import {channelNarrow, directNarrow, everythingNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import * as eg from '#test/support/state-builders.ts';
import {timelineFixture, unreadEvent} from './timeline-fixture.ts';
import {noon, several, type TimelineFrameParts, talk} from './timeline-frame.ts';

const arrivals = (from: number, count: number) =>
  several(count, (at) => ({id: from + at, content: `message ${from + at}`, timestamp: noon + 60 * at}));
const idsOf = (messages: readonly {readonly id: number}[]) => messages.map(({id}) => id);

type Stage = ReturnType<typeof timelineFixture>;
const unread = ({app}: Stage) => [...app.state.unreads.byId.keys()];

function arrive(stage: Stage, count: number, from = 101): void {
  const messages = arrivals(from, count);
  stage.join('newer', messages, idsOf(messages));
}

const stageOf = (parts: TimelineFrameParts & Parameters<typeof timelineFixture>[0] = {}) =>
  timelineFixture({
    messages: several(100),
    account: {subscriptions: eg.subscribed(eg.subscription({channelId: 1}))},
    ...parts,
  });

test('what is shown becomes read, what is below the pane does not', () => {
  const stage = stageOf();
  arrive(stage, 2);
  expect(unread(stage)).toEqual([]);
  arrive(stage, 40, 103);
  const last = stage.shown()?.window?.rows.at(-1)?.key ?? 0;
  expect(unread(stage)[0]).toBeGreaterThanOrEqual(Number(last));
  expect(unread(stage).at(-1)).toBe(142);
});

test('nothing becomes read in a window without the focus; what came then has a line above it', () => {
  const stage = stageOf();
  stage.app.set({hasWindowFocus: false});
  arrive(stage, 2);
  expect(unread(stage)).toEqual([101, 102]);
  stage.show();
  expect(stage.lines().join('\n')).toContain('── 2 unread ─');
  stage.app.set({hasWindowFocus: true});
  stage.show();
  expect(unread(stage)).toEqual([]);
  expect(stage.lines().join('\n')).toContain('── 2 unread ─');
});

test('nothing becomes read beneath an overlay, while exploring, or in a read-only session', () => {
  for (const facts of [{isExploring: true}, {isReadOnly: true}]) {
    const stage = stageOf({facts});
    arrive(stage, 1);
    stage.press('G');
    expect(unread(stage)).toEqual([101]);
  }
  const stage = stageOf();
  stage.app.openOverlay({kind: 'card', top: 0, card: {id: 'x', title: '', lines: () => []}});
  arrive(stage, 1);
  expect(unread(stage)).toEqual([101]);
});

test('a message is read when both its first and its last line were shown', () => {
  const stage = stageOf();
  const content = Array.from({length: 14}, (_, at) => `line ${at}`).join('\n');
  const messages = [101, 102, 103].map((id) => eg.message({id, content, timestamp: noon + id}));
  stage.join('newer', messages, idsOf(messages));
  expect(unread(stage)).toContain(103);
  const seen: number[] = [];
  for (let i = 0; i < 4; i++) {
    stage.press('J');
    seen.push(unread(stage).length);
  }
  expect(seen.at(-1)).toBe(0);
});

test('what is marked unread stays unread until the next visit', () => {
  const stage = stageOf();
  arrive(stage, 3);
  stage.press('j', 'U');
  expect(unread(stage)).toEqual([101, 102, 103]);
  stage.press('k', 'j', 'J');
  expect(unread(stage)).toEqual([101, 102, 103]);
  openNarrow(stage.app, narrowIs('starred'));
  stage.show();
  openNarrow(stage.app, talk);
  stage.show();
  expect(unread(stage)).toEqual([]);
});

test('G reads the whole conversation, as one step to undo', () => {
  const stage = stageOf({settings: {markRead: 'onDone'}});
  arrive(stage, 50);
  expect(unread(stage)).toHaveLength(50);
  stage.press('G');
  expect(unread(stage)).toEqual([]);
  expect(stage.app.screen.toast?.text).toBe('Marked #backend › talk read (50) · Z undo');
  stage.app.undoStack.undo();
  stage.show();
  expect(unread(stage)).toHaveLength(50);
});

test('Space pages to the end, then reads the conversation and opens the next that waits', () => {
  const stage = stageOf({settings: {markRead: 'onDone'}});
  const other = eg.message({id: 300, topic: 'other', timestamp: noon});
  stage.session.cache.apply(
    {type: 'messages_fetched', messages: [other], unreadIds: [], since: undefined, page: undefined},
    unreadEvent([other]),
  );
  arrive(stage, 30);
  for (let i = 0; i < 10 && unread(stage).length > 1; i++) stage.press('Space');
  expect(unread(stage)).toEqual([300]);
  expect(stage.app.screen.view).toMatchObject({kind: 'messages', narrow: [{operand: 1}, {operand: 'other'}]});
});

test('with read_on = page, Space stops at the end', () => {
  const stage = stageOf({settings: {markRead: 'onDone', readOn: 'page'}});
  stage.press('Space');
  expect(stage.app.screen.toast?.text).toBe('This is the end.');
});

test('which views are read by looking at them follows the account', () => {
  const at = (policy: number, narrow: Narrow, wish: 'server' | 'onView' | 'onDone' = 'server') =>
    isReadByShowing({settings: {...initialState.settings, webMarkReadOnScrollPolicy: policy}}, narrow, wish);
  const search: Narrow = [{operator: 'search', operand: 'x'}];
  expect(
    [talk, directNarrow([11]), channelNarrow(1), everythingNarrow].map((narrow) => at(1, narrow)),
  ).toEqual([true, true, true, true]);
  expect(
    [talk, directNarrow([11]), channelNarrow(1), everythingNarrow].map((narrow) => at(2, narrow)),
  ).toEqual([true, true, false, false]);
  expect(at(3, talk)).toBe(false);
  expect([search, narrowIs('starred')].map((narrow) => at(1, narrow))).toEqual([false, false]);
  expect([at(1, talk, 'onDone'), at(3, talk, 'onView')]).toEqual([false, true]);
});
