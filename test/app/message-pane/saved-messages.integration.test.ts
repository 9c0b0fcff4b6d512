import {expect, test} from 'vitest';
import {openNarrow, timelineState} from '#app/navigation/navigation.ts';
import {channelNarrow, combinedFeedNarrow, conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** A client that has fetched some messages and then lost the server. */
async function offlineFixture(count: number) {
  const fixture = await sessionFixture();
  for (let n = 1; n < count; n++) await fixture.postMessage(`message ${n}`);
  const last = await fixture.postMessage(`message ${count}`);
  const session = fixture.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  await fixture.hook('fault', {kind: 'drop_before', times: 100_000});
  session.wake('resumed');
  await waitForState(session, ({connection}) => connection.phase === 'offline');
  const {app, press} = appFixture({session, size: '80x24'});
  const lines = () => textOf(messagePaneLines(app.frame, screenLayout(app.frame).main)).filter((line) => line !== '');
  const show = async (narrow: Narrow) => {
    openNarrow(app, narrow, {anchor: 'newest'});
    await waitForState(session, ({timelines}) => timelines.size > 0);
    app.frames.paintNow();
  };
  return {fixture, session, app, press, lines, show, last};
}

async function reconnectAndSay(fixture: SessionFixture, content: string): Promise<number> {
  await fixture.hook('clear-faults');
  return fixture.postMessage(content);
}

test.each<[string, (fixture: SessionFixture) => Narrow]>([
  ['the combined feed', () => combinedFeedNarrow],
  ['a channel', ({channelId}) => channelNarrow(channelId)],
  ['a search', ({otto}) => [{operator: 'sender', operand: otto.id}]],
])('offline: %s shows the saved messages and says so', async (_name, narrow) => {
  const {fixture, lines, show} = await offlineFixture(3);
  await show(narrow(fixture));
  const shown = lines();
  expect(shown[0]).toContain('Older messages load when back online');
  expect(shown.filter((line) => /message \d/.test(line))).toHaveLength(3);
  expect(shown.at(-1)).toContain('Offline: showing saved messages');
});

test('offline: the server’s answer replaces the saved messages without moving the reader', async () => {
  const {fixture, session, app, press, lines, show} = await offlineFixture(60);
  await show(combinedFeedNarrow);
  press('PageUp');
  app.frames.paintNow();
  const [before, {selected}] = [lines(), timelineState(app)];
  const late = await reconnectAndSay(fixture, 'late');
  session.wake('manual');
  await waitForState(session, (state) => timelineOf(state, combinedFeedNarrow)?.ids.has(late) === true);
  app.frames.paintNow();
  expect(mainTimelineNow(app.frame)?.timeline).toMatchObject({isStale: false, hasNewest: true});
  expect(timelineState(app).selected).toBe(selected);
  expect(lines().slice(0, -1)).toEqual(before.slice(0, -1));
});

test('offline: a reader at the newest saved message stays there when newer ones arrive', async () => {
  const {fixture, session, app, lines, show} = await offlineFixture(60);
  await show(combinedFeedNarrow);
  const before = lines().filter((line) => /message \d/.test(line));
  const late = await reconnectAndSay(fixture, 'late');
  session.wake('manual');
  await waitForState(session, (state) => timelineOf(state, combinedFeedNarrow)?.ids.has(late) === true);
  app.frames.paintNow();
  expect(lines().filter((line) => /message \d/.test(line))).toEqual(before);
});

test('offline: only visible messages are marked read', async () => {
  const {fixture, session, app, show, last} = await offlineFixture(60);
  await show(channelNarrow(fixture.channelId));
  const seen =
    mainTimelineNow(app.frame)?.window?.rows.flatMap(({key}) => (typeof key === 'number' ? [key] : [])) ?? [];
  expect(seen).toContain(last);
  const {byId} = session.cache.state.unreads;
  expect(byId.has(last)).toBe(false);
  const read = Array.from({length: last}, (_, at) => at + 1).filter((id) => !byId.has(id));
  expect(read.every((id) => seen.includes(id))).toBe(true);
});

test('offline: going to the end marks loaded messages read, not missing ones', async () => {
  const {fixture, session, app, press, show, last} = await offlineFixture(60);
  const {channelId} = fixture;
  const conversation = {kind: 'topic', channelId, topic: 'talk'} as const;
  const missing = last + 1000;
  session.cache.apply({
    type: 'update_message_flags',
    id: -1,
    op: 'remove',
    flag: 'read',
    messages: [missing],
    all: false,
    message_details: {[missing]: {type: 'stream', stream_id: channelId, topic: 'talk'}},
  });
  expect(session.cache.state.unreads.byId.has(missing)).toBe(true);
  await show(conversationNarrow(conversation));
  press('G');
  app.frames.paintNow();
  expect(session.cache.state.unreads.byId.has(last)).toBe(false);
  expect(session.cache.state.unreads.byId.has(missing)).toBe(true);
});
