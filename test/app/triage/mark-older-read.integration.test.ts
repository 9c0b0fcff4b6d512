import {expect, test} from 'vitest';
import {offerToMarkOlderRead} from '#app/triage/mark-older-read.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {
  memoryStore,
  noonMs,
  type TriageFixtureOptions,
  triageAccount,
  triageFixture,
  web,
} from '#test/app/inbox/triage-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {PermanentFailure} from '#wire/failure.ts';

/** An account with more unread messages than the server lists; the cursor is on `#web › css`. */
function olderUnreadsFixture(options: TriageFixtureOptions = {}) {
  const account = triageAccount();
  const fixture = triageFixture({
    ...options,
    account: {...account, unreads: {...account.unreads, oldMissing: true}},
  });
  fixture.press('j', 'j', 'j', 'j');
  return {
    ...fixture,
    olderReadActions: () => fixture.session.pendingChanges.pendingActions().filter(({kind}) => kind === 'oldRead'),
  };
}

test.each([
  ['online', 'Marking older messages read: #web… · z undo'],
  ['offline', 'Older messages will be marked read when back online: #web · z undo'],
] as const)(
  'mark older read: %s, the request for a whole channel is a pending change, up to the newest painted message',
  (connection, said) => {
    const {press, arrive, olderReadActions, toast, unread} = olderUnreadsFixture({connection});
    arrive(120, web, 'css');
    press('X', 'y');
    expect(olderReadActions()).toEqual([]);
    press('y');
    const narrow = [{operator: 'channel', operand: web}];
    expect(olderReadActions()).toMatchObject([{kind: 'oldRead', narrow, upTo: 100}]);
    expect(toast()).toBe(said);
    expect(unread()).toContain(120);
  },
);

test('mark older read: undo cancels the request, and the next undo restores the known messages', () => {
  const {press, olderReadActions, toast, unread} = olderUnreadsFixture();
  const before = unread();
  press('X', 'y', 'y', 'z');
  expect([olderReadActions(), toast()]).toEqual([[], 'Undone: Marked older messages read: #web · Z redo']);
  expect(unread()).not.toEqual(before);
  press('Z');
  expect(olderReadActions()).toMatchObject([{kind: 'oldRead', upTo: 100}]);
  press('z');
  expect(olderReadActions()).toEqual([]);
  press('z');
  expect(unread()).toEqual(before);
});

test('mark all read: known and unlisted messages are one change, which one undo takes back', () => {
  const {press, type, app, olderReadActions, unread} = olderUnreadsFixture();
  const before = unread();
  press(';');
  type('mark all as read');
  press('Enter', 'y');
  expect(olderReadActions()).toMatchObject([{kind: 'oldRead', narrow: [], upTo: app.state.maxMessageId}]);
  expect(unread()).toEqual([]);
  press('z');
  expect([olderReadActions(), unread()]).toEqual([[], before]);
  press('Z');
  expect(olderReadActions()).toMatchObject([{kind: 'oldRead', narrow: [], upTo: app.state.maxMessageId, pages: 0}]);
  expect(unread()).toEqual([]);
  press('z');
  expect([olderReadActions(), unread()]).toEqual([[], before]);
});

test('mark older read: the request still waits after a restart and can be undone', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = olderUnreadsFixture({clock, store});
  first.press('X', 'y', 'y');
  first.app.end();
  const {press, olderReadActions, toast} = olderUnreadsFixture({clock, store});
  expect(olderReadActions()).toHaveLength(1);
  press('z');
  expect([olderReadActions(), toast()]).toEqual([[], 'Undone: Marked older messages read: #web · Z redo']);
});

test('mark older read: a refusal after a restart is reported', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = olderUnreadsFixture({clock, store, connection: 'offline'});
  first.press('X', 'y', 'y');
  first.app.end();
  const info = {endpoint: 'messages.get', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;
  const {session, toast} = olderUnreadsFixture({
    clock,
    store,
    api: {
      getMessages: () => Promise.reject(new PermanentFailure('Not today.', info)),
      updateFlags: ({messages}) =>
        Promise.resolve({
          result: 'success',
          msg: '',
          messages: [...messages],
          ignored_because_not_subscribed_channels: [],
        }),
    },
  });
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  session.pendingChanges.online();
  await session.pendingChanges.idle();
  expect(toast()).toBe('Could not mark all older messages read: Not today.');
});

test('mark older read: not offered while a known message of the channel stays unread', () => {
  const {press, at, olderReadActions, app, unread} = olderUnreadsFixture();
  press('k');
  expect(at()).toBe('#web › login');
  press('b', 'd');
  expect(at()).toBe('#web › css');
  press('X');
  expect(unread()).toEqual([1, 2, 3, 5, 6, 7, 8]);
  expect(app.screen.overlays).toEqual([]);
  expect(olderReadActions()).toEqual([]);
});

test('mark older read: online, the number of marked messages is reported', async () => {
  const server = await sessionFixture();
  const ids = [await server.postMessage('one'), await server.postMessage('two')];
  const session = server.session();
  session.start();
  await session.ready();
  const {cache} = session;
  cache.apply({type: 'state_replaced', state: {...cache.base, unreads: {...noUnreads, oldMissing: true}}});
  const {app, press} = appFixture({session});
  app.frames.paintNow();
  offerToMarkOlderRead(app, '#general', channelNarrow(server.channelId), app.state.maxMessageId);
  press('y');
  await expect.poll(() => app.screen.toast?.text).toBe('Marked older messages read: #general (2)');
  press('z');
  await waitForState(session, ({unreads}) => unreads.byId.size === ids.length);
  await session.pendingChanges.idle();
  const {messages} = await server.server.as(server.meg).get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{operator: 'is', operand: 'unread'}],
  });
  expect(messages.map(({id}: {id: number}) => id)).toEqual(ids);
});
