import {expect, test} from 'vitest';
import {type AccountStore, StoreError} from '#state/account-store.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';

/** A disk that is full the first time a pending change is removed. */
function crampedStore(): AccountStore {
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  let isFull = true;
  const remove = (id: number) => {
    if (isFull) {
      isFull = false;
      throw new StoreError('full', 'The disk is full.');
    }
    store.pendingChanges.remove(id);
  };
  return {...store, pendingChanges: {...store.pendingChanges, remove}};
}

test('pending changes: a full disk while one action is rejected does not end the others', async () => {
  const stage = await sessionFixture();
  const session = stage.session({store: crampedStore()});
  session.start();
  await session.ready();
  const id = await stage.postMessage('Hello');
  await waitForState(session, hasMessage(id));
  const nonsense = {emojiName: 'nonsense', emojiCode: 'none', reactionType: 'unicode_emoji'};
  session.pendingChanges.perform({kind: 'reaction', op: 'add', messageId: id, ...nonsense});
  session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [id]});
  await waitForState(session, () => session.cache.base.starred.has(id));
  expect(session.cache.base.messages.byId.get(id)?.reactions).toEqual([]);
});
