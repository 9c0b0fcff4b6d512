import {expect, test} from 'vitest';
import {type AccountStore, StoreError} from '#state/account-store.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {has, sessionStage, until} from '#test/state/session-fixture.ts';

/** A disk that is full the first time something is to be crossed off. */
function crampedStore(): AccountStore {
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  let isFull = true;
  const remove = (id: number) => {
    if (isFull) {
      isFull = false;
      throw new StoreError('full', 'The disk is full.');
    }
    store.deeds.remove(id);
  };
  return {...store, deeds: {...store.deeds, remove}};
}

test('a disk that is full when an action is refused does not end all other actions', async () => {
  const stage = await sessionStage();
  const session = stage.session({store: crampedStore()});
  session.start();
  await session.ready();
  const id = await stage.say('Hello');
  await until(session, has(id));
  const nonsense = {emojiName: 'nonsense', emojiCode: 'none', reactionType: 'unicode_emoji'};
  session.deeds.do({kind: 'reaction', op: 'add', messageId: id, ...nonsense});
  session.deeds.do({kind: 'flags', op: 'add', flag: 'starred', ids: [id]});
  await until(session, () => session.cache.base.starred.has(id));
  expect(session.cache.base.messages.byId.get(id)?.reactions).toEqual([]);
});
