import {expect, test} from 'vitest';
import {openNarrow} from '#app/navigation/navigation.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {bannerLines, composerLines, headerLines, messagePaneLines} from '#test/support/part-lines.ts';

/** Meg, a guest, writes in a channel and is removed from it. */
async function removedWhileWriting(view: 'channel' | 'topic') {
  const parts = await messageFixture();
  const {fixture, session, app, press, type} = parts;
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  await server.as(owner).patch(`/users/${meg.id}`, {role: 600});
  const books = server.people.channel('books', [meg, otto]);
  await server.as(otto).post('/messages', {type: 'stream', to: books, topic: 'plans', content: 'a good one'});
  await fixture.hook('expire-queues');
  await waitForState(session, ({channels}) => channels.has(books));
  const main = () =>
    textOf(messagePaneLines(app.frame, egRect('100x30')))
      .join('\n')
      .trim();
  openNarrow(app, view === 'channel' ? channelNarrow(books) : topicNarrow(books, 'plans'));
  await untilApp(app, () => main().includes('a good one'));
  press('r');
  type('I almost finished this');
  const principals = [meg.id];
  await server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['books'], principals});
  await waitForState(session, ({channels}) => !channels.has(books));
  return {...parts, main, books};
}

test('lost channel: view, banner and composer name it by its last known name, and the text is kept', async () => {
  const {session, app, press, main} = await removedWhileWriting('topic');
  const composer = () => textOf(composerLines(app.frame, egRect('100x7')));
  expect(textOf(headerLines(app.frame, egRect('100x1')))[0]).toContain('#books › plans');
  expect(textOf(bannerLines(app.frame, egRect('100x1')))).toEqual([' You no longer have access to #books.']);
  expect(main()).toBe('You no longer have access to #books.');
  expect(composer()[0]).toContain('to #books › plans');
  press('Enter');
  expect(composer().slice(1)).toEqual(['› I almost finished this', ' ! You no longer have access to #books.']);
  expect(session.cache.state.outbox).toEqual([]);
  press('Esc', 'Esc');
  expect(app.state.localDrafts).toMatchObject([{content: 'I almost finished this'}]);
});

test('lost channel: its feed does not say that it has no messages, also when opened again', async () => {
  const {app, main, books} = await removedWhileWriting('channel');
  expect(main()).toBe('You no longer have access to #books.');
  app.set({view: {kind: 'inbox'}});
  openNarrow(app, channelNarrow(books));
  expect(main()).toBe('You no longer have access to #books.');
});
