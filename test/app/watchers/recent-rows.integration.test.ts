import {expect, test} from 'vitest';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {recentList} from '#ui/recent/recent-list.ts';

test('recent conversations: a row whose last message is older than the loaded ones gets its age with one request', async () => {
  const asked: string[] = [];
  const fixture = await sessionFixture({
    rateLimited: false,
    onRequest: (method, path) => void asked.push(`${method} ${path}`),
  });
  const {server, meg, otto} = fixture;
  const toOtto = server.people.member('Old Friend');
  for (const friend of [otto, toOtto])
    await server.as(friend).post('/messages', {type: 'direct', to: [meg.id], content: 'long ago'});
  for (let at = 0; at < 205; at++) await fixture.postMessage(`number ${at}`);
  const session = fixture.session();
  session.start();
  await session.ready();
  await session.recentMessages();
  asked.length = 0;
  const {app} = appFixture({session, view: {kind: 'recent'}});
  startScreenWatchers(app);
  const ages = () =>
    visibleRowsOf(app.frame, recentList).rows.map((row) => ('age' in row && row.age !== '' ? 'age' : row.label));
  expect(ages().sort()).toEqual(['Old Friend', 'Otto', 'age']);
  app.frames.paintNow();
  await expect.poll(ages).toEqual(['age', 'age', 'age']);
  expect(asked.filter((request) => request.includes('/messages'))).toHaveLength(1);
});
