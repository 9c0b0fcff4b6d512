import {expect, test} from 'vitest';
import {
  channelNarrow,
  combinedFeedNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
} from '#state/model/narrow.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {expectInSync, type SessionFixture, sessionFixture, waitForState} from './session-fixture.ts';

function idsIn({timelines}: AccountState, narrow: Narrow): number[] {
  return timelines.get(narrowKey(narrow))?.ids.toArray() ?? [];
}

async function startedSession(fixture: SessionFixture): Promise<Session> {
  const session = fixture.session();
  session.start();
  await session.ready();
  return session;
}

test('unsubscribed channel: messages moved there leave the views that name no channel, and lose their star', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const id = await fixture.postMessage('I read this');
  const other = await fixture.postMessage('I stay');
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  const session = await startedSession(fixture);
  const views = [everythingNarrow, combinedFeedNarrow, narrowIs('starred'), channelNarrow(fixture.channelId)];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  expect(idsIn(session.cache.state, everythingNarrow)).toEqual([id, other]);
  await server.as(otto).patch(`/messages/${id}`, {
    stream_id: books,
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  });
  const state = await waitForState(
    session,
    ({messages}) => messages.byId.get(id)?.conversationKey === `c${books}:talk`,
  );
  expect(views.map((narrow) => idsIn(state, narrow))).toEqual([[other], [other], [], [other]]);
  await expectInSync(fixture, session);
});

test('unsubscribed channel: a message that one reacted to or starred is in the views that name no channel', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const post = async (content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: books, topic: 'talk', content})).id;
  const [reacted, starred, untouched] = [await post('a'), await post('b'), await post('c')];
  await server.as(meg).post(`/messages/${reacted}/reactions`, {emoji_name: 'tada'});
  const session = await startedSession(fixture);
  for (const narrow of [everythingNarrow, combinedFeedNarrow, channelNarrow(books)]) {
    await session.timelines.open(narrow, 'newest');
  }
  expect(idsIn(session.cache.state, combinedFeedNarrow)).toEqual([reacted]);
  await server.as(meg).post('/messages/flags', {messages: [starred], op: 'add', flag: 'starred'});
  const hasBoth = (narrow: Narrow) => (state: AccountState) => idsIn(state, narrow).length === 2;
  await waitForState(session, hasBoth(everythingNarrow));
  const state = await waitForState(session, hasBoth(combinedFeedNarrow));
  expect(idsIn(state, combinedFeedNarrow)).toEqual([reacted, starred]);
  expect(idsIn(state, channelNarrow(books))).toEqual([reacted, starred, untouched]);
  await expectInSync(fixture, session);
});
