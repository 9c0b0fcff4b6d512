import {expect, onTestFinished, test} from 'vitest';
import {builtInEmoji} from '#content/emoji.ts';
import {downloadEmoji} from '#state/fetches/server-emoji.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {httpServer} from '#test/api/client.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

async function emojiFixture(level?: number) {
  const downloads: string[] = [];
  const fixture = await sessionFixture({
    ...(level !== undefined && {level}),
    onRequest: (_method, path) => {
      if (path.startsWith('/static/')) downloads.push(path);
    },
  });
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  onTestFinished(() => store.close());
  return {fixture, downloads, store};
}

test('emoji of the server: its names are downloaded once for each URL and kept on disk', async () => {
  const {fixture, downloads, store} = await emojiFixture();
  const first = fixture.session({store});
  first.start();
  const {unicodeEmoji, server} = await waitForState(first, ({unicodeEmoji}) => unicodeEmoji !== undefined);
  expect(unicodeEmoji).toEqual({url: server.serverEmojiDataUrl, names: builtInEmoji().codeToNames});
  await first.stop();
  const second = fixture.session({store});
  second.start();
  const later = await waitForState(second, ({unicodeEmoji}) => unicodeEmoji !== undefined);
  expect(later.unicodeEmoji).toEqual(unicodeEmoji);
  expect(downloads).toHaveLength(1);
});

test('emoji of the server: another URL is downloaded, although names are saved', async () => {
  const {fixture, downloads, store} = await emojiFixture();
  store.keyValues.set('server emoji', JSON.stringify({url: 'https://elsewhere.example/old.json', names: {}}));
  const session = fixture.session({store});
  session.start();
  const {unicodeEmoji} = await waitForState(session, ({unicodeEmoji}) => unicodeEmoji !== undefined);
  expect(unicodeEmoji?.names['1f97a']).toContain('pleading');
  expect(downloads).toHaveLength(1);
});

test('emoji of the server: the names stay after a new registration', async () => {
  const {fixture, downloads, store} = await emojiFixture();
  const session = fixture.session({store});
  session.start();
  const {unicodeEmoji} = await waitForState(session, ({unicodeEmoji}) => unicodeEmoji !== undefined);
  await fixture.hook('expire-queues');
  const after = await waitForState(session, () => fixture.registrations === 2);
  expect(after.unicodeEmoji).toBe(unicodeEmoji);
  expect(downloads).toHaveLength(1);
});

test('emoji of the server: a server that does not say its names has the built-in ones', async () => {
  const {fixture, store} = await emojiFixture(139);
  const session = fixture.session({store});
  session.start();
  const {server} = await waitForState(session, ({connection}) => connection.phase === 'online');
  expect(server.serverEmojiDataUrl).toBeUndefined();
});

test('emoji of the server: a list on another host is downloaded only where that is allowed', async () => {
  const requests: string[] = [];
  const elsewhere = await httpServer((request, response) => {
    requests.push(String(request.url));
    response.end(JSON.stringify({code_to_names: {'1f44d': ['thumbs']}}));
  });
  const base = eg.state();
  const state = {...base, server: {...base.server, serverEmojiDataUrl: `${elsewhere}/emoji.json`}};
  const refused = unstartedSession(state, new ManualClock());
  await expect(downloadEmoji(refused.context)).rejects.toThrow(elsewhere);
  expect(requests).toEqual([]);
  const allowed = unstartedSession(state, new ManualClock(), {mayUseOtherHosts: () => true});
  await downloadEmoji(allowed.context);
  expect(allowed.cache.state.unicodeEmoji?.names).toEqual({'1f44d': ['thumbs']});
});
