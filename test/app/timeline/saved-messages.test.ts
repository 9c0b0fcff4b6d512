import {expect, test} from 'vitest';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {openNarrow, timelineState} from '#app/navigation/navigation.ts';
import {messagePaneLines} from '#app/timeline/message-pane.ts';
import {mainTimelineNow} from '#app/timeline/selection.ts';
import {channelNarrow, combinedFeedNarrow, conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';

/** A client that heard of some messages and then lost the server. */
async function lostStage(count: number) {
  const stage = await sessionFixture();
  for (let n = 1; n < count; n++) await stage.say(`message ${n}`);
  const last = await stage.say(`message ${count}`);
  const session = stage.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  await stage.hook('fault', {kind: 'drop_before', times: 100_000});
  session.wake('resumed');
  await waitForState(session, ({connection}) => connection.phase === 'offline');
  const {app, press} = appFixture({session, size: '80x24'});
  const lines = () =>
    textOf(messagePaneLines(app.frame, screenLayout(app.frame).main)).filter((line) => line !== '');
  const show = async (narrow: Narrow) => {
    openNarrow(app, narrow, {anchor: 'newest'});
    await waitForState(session, ({timelines}) => timelines.size > 0);
    app.frames.paintNow();
  };
  return {stage, session, app, press, lines, show, last};
}

async function comeBack(stage: SessionFixture, said: string): Promise<number> {
  await stage.hook('clear-faults');
  return stage.say(said);
}

test.each<[string, (stage: SessionFixture) => Narrow]>([
  ['the combined feed', () => combinedFeedNarrow],
  ['a channel', ({channelId}) => channelNarrow(channelId)],
  ['a search', ({otto}) => [{operator: 'sender', operand: otto.id}]],
])('without a server %s shows what is here, and says so', async (_what, narrow) => {
  const {stage, lines, show} = await lostStage(3);
  await show(narrow(stage));
  const shown = lines();
  expect(shown[0]).toContain('older ones come with the connection');
  expect(shown.filter((line) => line.includes('message'))).toHaveLength(3);
  expect(shown.at(-1)).toContain('offline: only what this machine holds');
});

test('the server’s answer takes over without moving what is being read', async () => {
  const {stage, session, app, press, lines, show} = await lostStage(60);
  await show(combinedFeedNarrow);
  press('PageUp');
  app.frames.paintNow();
  const [before, {selected}] = [lines(), timelineState(app)];
  const late = await comeBack(stage, 'late');
  session.wake('manual');
  await waitForState(session, (state) => timelineOf(state, combinedFeedNarrow)?.ids.has(late) === true);
  app.frames.paintNow();
  expect(mainTimelineNow(app.frame)?.timeline).toMatchObject({isStale: false, hasNewest: true});
  expect(timelineState(app).selected).toBe(selected);
  expect(lines().slice(0, -1)).toEqual(before.slice(0, -1));
});

test('who looks at the newest that is here stays there when newer ones come', async () => {
  const {stage, session, app, lines, show} = await lostStage(60);
  await show(combinedFeedNarrow);
  const before = lines().filter((line) => line.includes('message'));
  const late = await comeBack(stage, 'late');
  session.wake('manual');
  await waitForState(session, (state) => timelineOf(state, combinedFeedNarrow)?.ids.has(late) === true);
  app.frames.paintNow();
  expect(lines().filter((line) => line.includes('message'))).toEqual(before);
});

test('only what was in sight is read', async () => {
  const {stage, session, app, show, last} = await lostStage(60);
  await show(channelNarrow(stage.channelId));
  const seen =
    mainTimelineNow(app.frame)?.window?.rows.flatMap(({key}) => (typeof key === 'number' ? [key] : [])) ?? [];
  expect(seen).toContain(last);
  const {byId} = session.cache.state.unreads;
  expect(byId.has(last)).toBe(false);
  const read = Array.from({length: last}, (_, at) => at + 1).filter((id) => !byId.has(id));
  expect(read.every((id) => seen.includes(id))).toBe(true);
});

test('going to the end reads what is there, not what this machine never got', async () => {
  const {stage, session, app, press, show, last} = await lostStage(60);
  const {channelId} = stage;
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
