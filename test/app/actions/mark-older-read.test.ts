import {expect, test} from 'vitest';
import {PermanentFailure} from '#api/failure.ts';
import {offerToMarkOlderRead} from '#app/actions/mark-older-read.ts';
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

/** An account with more unread messages than the server told of; the cursor is on `#web › css`. */
function olderStage(parts: TriageFixtureOptions = {}) {
  const account = triageAccount();
  const stage = triageFixture({
    ...parts,
    account: {...account, unreads: {...account.unreads, oldMissing: true}},
  });
  stage.press('j', 'j', 'j', 'j');
  return {
    ...stage,
    older: () => stage.session.pendingChanges.pendingActions().filter(({kind}) => kind === 'oldRead'),
  };
}

test('offline, what is older in a whole channel waits with everything else, up to what was seen', () => {
  const {press, arrive, older, toast, unread} = olderStage();
  arrive(120, web, 'css');
  press('X');
  expect(older()).toEqual([]);
  press('y');
  const narrow = [{operator: 'channel', operand: web}];
  expect(older()).toMatchObject([{kind: 'oldRead', narrow, upTo: 100}]);
  expect(toast()).toBe('What is older is marked read once connected: #web · z undo');
  expect(unread()).toContain(120);
});

test('taken back, what is older is not marked; the next key takes back what was known', () => {
  const {press, older, toast, unread} = olderStage();
  const before = unread();
  press('X', 'y', 'z');
  expect([older(), toast()]).toEqual([[], 'Undone: Marked what is older read: #web']);
  expect(unread()).not.toEqual(before);
  press('z');
  expect(unread()).toEqual(before);
});

test('what is older still waits after a restart, and can be taken back', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = olderStage({clock, store});
  first.press('X', 'y');
  first.app.end();
  const {press, older, toast} = olderStage({clock, store});
  expect(older()).toHaveLength(1);
  press('z');
  expect([older(), toast()]).toEqual([[], 'Undone: Marked what is older read: #web']);
});

test('what the server refuses of it after a restart is said, although nobody waits for it', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = olderStage({clock, store});
  first.press('X', 'y');
  first.app.end();
  const info = {endpoint: 'messages.get', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;
  const {session, toast} = olderStage({
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
  expect(toast()).toBe('Not all of what is older was marked read: Not today.');
});

test('nobody is asked about what is older where something known stays unread', () => {
  const {press, at, older, app, unread} = olderStage();
  press('k');
  expect(at()).toBe('#web › login');
  press('b', 't');
  expect(at()).toBe('#web › css');
  press('X');
  expect(unread()).toEqual([1, 2, 3, 5, 6, 7, 8]);
  expect(app.screen.overlays).toEqual([]);
  expect(older()).toEqual([]);
});

test('online, it is said how much was marked', async () => {
  const on = await sessionFixture();
  const ids = [await on.say('one'), await on.say('two')];
  const session = on.session();
  session.start();
  await session.ready();
  const {cache} = session;
  cache.apply({type: 'state_replaced', state: {...cache.base, unreads: {...noUnreads, oldMissing: true}}});
  const {app, press} = appFixture({session});
  app.frames.paintNow();
  offerToMarkOlderRead(app, '#general', channelNarrow(on.channelId));
  press('y');
  await expect.poll(() => app.screen.toast?.text).toBe('Marked what is older read: #general (2)');
  press('z');
  await waitForState(session, ({unreads}) => unreads.byId.size === ids.length);
  await session.pendingChanges.idle();
  const {messages} = await on.server.as(on.meg).get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{operator: 'is', operand: 'unread'}],
  });
  expect(messages.map(({id}: {id: number}) => id)).toEqual(ids);
});
