import {expect, test, vi} from 'vitest';
import {openNarrow, openView} from '#app/navigation/navigation.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {channelNarrow, everythingNarrow} from '#state/model/narrow.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

/** Meg's client, whose time the test controls, and a channel that she is not subscribed to. */
async function booksFixture() {
  const fixture = await sessionFixture();
  const {server, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const post = async (content: string, topic = 'talk'): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: books, topic, content})).id;
  const first = await post('first');
  const session = fixture.session();
  session.start();
  await session.ready();
  const clock = new ManualClock();
  const {app} = appFixture({session, clock});
  startScreenWatchers(app);
  const refreshes = vi.spyOn(session.timelines, 'refresh');
  /** Paints, and lets time pass. */
  const pass = (seconds: number) => {
    app.frames.paintNow();
    clock.advance(seconds * 1000);
    app.frames.paintNow();
  };
  return {...fixture, session, app, books, post, first, refreshes, pass};
}

test('unsubscribed view: while it is shown, new messages appear every 30 seconds', async () => {
  const {app, session, books, post, first, refreshes, pass} = await booksFixture();
  openNarrow(app, channelNarrow(books));
  await waitForState(session, hasMessage(first));
  const second = await post('second');
  pass(29);
  expect(refreshes).not.toHaveBeenCalled();
  pass(1);
  expect(refreshes).toHaveBeenCalledTimes(1);
  await waitForState(session, hasMessage(second));
  const third = await post('third');
  pass(30);
  expect(refreshes).toHaveBeenCalledTimes(2);
  await waitForState(session, hasMessage(third));
});

test('unsubscribed view: nothing is fetched while another view is shown or the window lacks the focus', async () => {
  const {app, session, books, post, first, refreshes, pass} = await booksFixture();
  openNarrow(app, channelNarrow(books));
  await waitForState(session, hasMessage(first));
  app.frames.paintNow();
  openNarrow(app, everythingNarrow);
  app.frames.paintNow();
  pass(300);
  openView(app, {kind: 'inbox'});
  pass(300);
  expect(refreshes).not.toHaveBeenCalled();
  openNarrow(app, channelNarrow(books));
  app.frames.paintNow();
  app.set({hasWindowFocus: false});
  pass(300);
  expect(refreshes).not.toHaveBeenCalled();
  const missed = await post('missed');
  app.set({hasWindowFocus: true});
  pass(0);
  expect(refreshes).toHaveBeenCalledTimes(1);
  await waitForState(session, hasMessage(missed));
});

test('unsubscribed view: after subscribing, events replace the refreshes', async () => {
  const {app, session, books, first, refreshes, pass, server, meg} = await booksFixture();
  openNarrow(app, channelNarrow(books));
  await waitForState(session, hasMessage(first));
  await server.as(meg).post('/users/me/subscriptions', {subscriptions: [{name: 'books'}]});
  await waitForState(session, ({subscriptions}) => subscriptions.get(books)?.isSubscribed === true);
  app.frames.paintNow();
  pass(300);
  expect(refreshes).not.toHaveBeenCalled();
});

test('unsubscribed view: the list of its topics is fetched every 30 seconds', async () => {
  const {app, session, books, post, pass} = await booksFixture();
  openView(app, {kind: 'topics', channelId: books});
  app.frames.paintNow();
  await waitForState(session, ({topics}) => topics.get(books)?.complete === true);
  await post('hello', 'another topic');
  pass(30);
  await waitForState(session, ({topics}) => topics.get(books)?.byKey.has('another topic') === true);
});
