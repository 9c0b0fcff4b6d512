import {expect, onTestFinished, test, vi} from 'vitest';
import {openView, timelineState} from '#app/navigation/navigation.ts';
import {messageFromWire} from '#state/model/message.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import type {EvictionLimits} from '#state/persistence/message-evictor.ts';
import {inbox} from '#state/selectors/inbox/inbox.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {startCountingServer} from '#test/support/request-counter.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';

const limits: EvictionLimits = {messages: 60, bytes: 1e9, reach: {shown: 10, recent: 5, other: 2}};
/** Longer than saving messages takes, which comes before eviction. */
const evictionMs = 3000;

/** A topic of 220 messages, the 200th by the user, and five short topics. All are read, except in the last topic. */
async function evictionFixture() {
  const counting = await startCountingServer();
  onTestFinished(() => counting.close());
  const {people, writer, meg, otto, server, take} = counting;
  const owner = people.owner();
  const channelId = people.channel('general', [meg, otto]);
  for (let at = 1; at <= 5; at++) writer.toChannel(otto, channelId, `short ${at}`, {read: true});
  const sentAt = Math.floor(Date.now() / 1000);
  const long = Array.from({length: 220}, (_, at) =>
    writer.toChannel(at === 199 ? meg : otto, channelId, 'long', {content: `message ${at}`, read: true, sentAt}),
  );
  const opened = counting.open('80x24', {eviction: limits});
  onTestFinished(() => opened.stop());
  await opened.settle();
  const view = (topic: string): View => messagesView(topicNarrow(channelId, topic));
  const {app, session} = opened;
  return {
    ...opened,
    channelId,
    long,
    view,
    writer,
    meg,
    otto,
    owner,
    closeServer: counting.closeServer,
    as: (person: typeof meg) => new ApiClient(server.url, person),
    open: async (topic: string) => {
      openView(app, view(topic));
      await opened.settle();
    },
    shown: () => mainTimelineNow(app.frame)?.window?.rows.map(({key}) => key),
    timeline: (topic = 'long') => timelineOf(app.state, topicNarrow(channelId, topic)),
    loadedCount: () => session.cache.base.messages.byId.size,
    messageRequests: () => take().filter(({name}) => name.startsWith('GET /messages')).length,
  };
}

type Fixture = Awaited<ReturnType<typeof evictionFixture>>;

/** Scrolls to the first message of the topic, and returns what each page shows. */
async function pagesUp(fixture: Fixture): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (;;) {
    pages.push(fixture.shown());
    fixture.press('PageUp');
    fixture.app.frames.paintNow();
    await fixture.settle();
    if (String(fixture.shown()) === String(pages.at(-1))) return pages;
  }
}

async function evict({pass, messageRequests, loadedCount}: Fixture): Promise<void> {
  await pass(evictionMs);
  expect(loadedCount()).toBeLessThan(130);
  messageRequests();
}

test('evicted messages: scrolling back shows the same pages from disk, without requests', async () => {
  const fixture = await evictionFixture();
  await fixture.open('long');
  fixture.press('G');
  await fixture.settle();
  const before = await pagesUp(fixture);
  expect(fixture.timeline()).toMatchObject({hasOldest: true, hasNewest: true});
  expect(fixture.timeline()?.ids.toArray()).toEqual(fixture.long);
  await evict(fixture);
  expect(fixture.timeline()).toMatchObject({hasOldest: true, hasNewest: false});
  fixture.press('G');
  expect(fixture.shown()?.at(-1), 'the end, in the same frame').toBe(fixture.long.at(-1));
  expect(timelineState(fixture.app).selected).toBe(fixture.long.at(-1));
  expect(await pagesUp(fixture)).toEqual(before);
  expect(fixture.messageRequests()).toBe(0);
});

test('evicted messages: are as on the server when they are loaded again, whatever happened meanwhile', async () => {
  const fixture = await evictionFixture();
  const {long, otto, meg, channelId, settle, timeline} = fixture;
  await fixture.open('long');
  await pagesUp(fixture);
  await evict(fixture);
  const [edited = 0, reacted = 0, starred = 0, deleted = 0, moved = 0] = long.slice(150);
  const api = fixture.as(otto);
  await api.patch(`/messages/${edited}`, {content: 'edited meanwhile'});
  await api.post(`/messages/${reacted}/reactions`, {emoji_name: 'tada'});
  await fixture.as(meg).post('/messages/flags', {messages: [starred], op: 'add', flag: 'starred'});
  await fixture.as(fixture.owner).delete(`/messages/${deleted}`);
  await api.patch(`/messages/${moved}`, {topic: 'short 1', propagate_mode: 'change_one'});
  await api.post('/messages', {type: 'stream', to: channelId, topic: 'long', content: 'live'});
  await settle();
  fixture.press('G');
  await pagesUp(fixture);
  const {messages} = await fixture.as(meg).get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    narrow: topicNarrow(channelId, 'long'),
    apply_markdown: false,
  });
  const {byId} = fixture.app.state.messages;
  const expected = messages.map((wire: Parameters<typeof messageFromWire>[0] & {flags: string[]}) =>
    messageFromWire(
      wire,
      wire.flags.filter((flag) => flag !== 'read'),
      meg.id,
    ),
  );
  expect(expected).toHaveLength(long.length - 1);
  expect(
    timeline()
      ?.ids.toArray()
      .map((id) => ({...byId.get(id), facts: undefined})),
  ).toEqual(expected);
});

test('evicted messages: going back shows the view as it was, in the next frame and without a request', async () => {
  const fixture = await evictionFixture();
  await fixture.open('long');
  await pagesUp(fixture);
  for (let page = 0; page < 4; page++) fixture.press('PageDown');
  await fixture.settle();
  const [shown, {selected}] = [fixture.shown(), timelineState(fixture.app)];
  for (let at = 1; at <= 5; at++) await fixture.open(`short ${at}`);
  await evict(fixture);
  expect(fixture.timeline()?.ids.size).toBeLessThan(15);
  for (let at = 1; at <= 5; at++) fixture.press('Alt-Left');
  expect(fixture.shown()).toEqual(shown);
  expect(timelineState(fixture.app).selected).toBe(selected);
  await fixture.settle();
  expect(fixture.shown()).toEqual(shown);
  expect(fixture.messageRequests()).toBe(0);
});

test('evicted messages: can be read while the server is away', async () => {
  const fixture = await evictionFixture();
  await fixture.open('long');
  const pages = await pagesUp(fixture);
  await evict(fixture);
  await fixture.closeServer();
  fixture.press('G');
  expect(await pagesUp(fixture)).toEqual(pages);
});

test('evicted messages: the view opens at the first unread one, which is not marked read before', async () => {
  const fixture = await evictionFixture();
  const {long, meg, app} = fixture;
  await fixture.open('long');
  await pagesUp(fixture);
  await fixture.open('short 1');
  await fixture.as(meg).post('/messages/flags', {messages: long.slice(-40), op: 'remove', flag: 'read'});
  // The event may come after the response.
  await waitForState(fixture.session, ({unreads}) => unreads.byId.size === 40);
  await fixture.settle();
  await evict(fixture);
  expect(fixture.timeline()?.ids.has(long.at(-40) ?? 0)).toBe(false);
  openView(app, fixture.view('long'));
  expect(timelineState(app).selected ?? mainTimelineNow(app.frame)?.selected).toBe(long.at(-40));
  expect(fixture.shown()).toContain(long.at(-40));
  expect([...app.state.unreads.byId.keys()]).toEqual(long.slice(-40));
  await fixture.settle();
  expect(fixture.messageRequests()).toBe(0);
});

test("evicted messages: the user's last message there can still be edited", async () => {
  const fixture = await evictionFixture();
  await fixture.open('long');
  await pagesUp(fixture);
  await evict(fixture);
  expect(fixture.timeline()?.ids.has(fixture.long[199] ?? 0)).toBe(false);
  fixture.press('r', 'Up');
  expect(fixture.app.screen.composer.editing).toEqual({messageId: fixture.long[199], before: 'message 199'});
});

test('evicted messages: a reply still follows the message that it answers', async () => {
  const fixture = await evictionFixture();
  const {app, long, otto, channelId} = fixture;
  await fixture.open('long');
  fixture.press('G', 'r');
  expect(app.screen.composer).toMatchObject({isOpen: true, anchor: {messageId: long.at(-1)}});
  app.set({focus: 'main'});
  await pagesUp(fixture);
  await evict(fixture);
  expect(fixture.timeline()?.ids.has(long.at(-1) ?? 0)).toBe(false);
  await fixture.as(otto).patch(`/messages/${long.at(-1)}`, {topic: 'elsewhere', propagate_mode: 'change_one'});
  await fixture.settle();
  expect(app.state.messages.byId.get(long.at(-1) ?? 0)).toMatchObject({channelId, topic: 'elsewhere'});
});

test('evicted messages: those of unopened conversations leave what the inbox shows of them', async () => {
  const fixture = await evictionFixture();
  const {app, as, otto, channelId, loadedCount} = fixture;
  const post = (at: number) =>
    as(otto).post('/messages', {type: 'stream', to: channelId, topic: `new ${at % 4}`, content: `incoming ${at}`});
  for (let at = 0; at < 120; at++) await post(at);
  await waitForState(fixture.session, ({unreads}) => unreads.byId.size === 120);
  await fixture.settle();
  const rows = () => inbox(app.state).groups.flatMap((group) => group.rows);
  const before = rows();
  expect(before.map(({count}) => count)).toEqual([30, 30, 30, 30]);
  const loaded = loadedCount();
  await fixture.pass(evictionMs);
  expect(loadedCount()).toBeLessThan(loaded - 60);
  expect(rows()).toEqual(before);
});

test('evicted messages: are fetched again after another process has written to the disk', async () => {
  const fixture = await evictionFixture();
  await fixture.open('long');
  const pages = await pagesUp(fixture);
  await evict(fixture);
  const {messages} = fixture.session.context.store;
  vi.spyOn(messages, 'externalWriteMark').mockReturnValue('another');
  fixture.press('G');
  await fixture.settle();
  expect(fixture.messageRequests()).toBeGreaterThan(0);
  expect(await pagesUp(fixture)).toEqual(pages);
});
