import type {Unreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {clearChannelUnreads} from '#state/unreads/unreads.ts';
import {memoBySlices} from '#std/memo.ts';

const archivedChannelIds = memoBySlices(['channels'], ({channels}: Pick<AccountState, 'channels'>): readonly number[] =>
  [...channels.values()].flatMap(({id, isArchived}) => (isArchived === true ? [id] : [])),
);

/** Returns the unread messages that counts and lists include: all but those in archived channels. */
export const countedUnreads = memoBySlices(
  ['unreads', 'channels'],
  (state: Pick<AccountState, 'unreads' | 'channels'>): Unreads =>
    archivedChannelIds(state).reduce(clearChannelUnreads, state.unreads),
);
