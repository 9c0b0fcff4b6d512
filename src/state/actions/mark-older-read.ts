import type {Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import {flagsEvent} from './message-flags.ts';
import type {OptimisticHandler} from './reversal.ts';

/**
 * Marks read whatever is unread in a view, up to a message, also what nobody here can name because the server left its
 * oldest unread messages out. Which ones these are is asked for page by page once it can be reached, and each page is on
 * disk before the request that marks it: so that exactly those are unread again when it is taken back, by whomever and
 * after whatever. The server's own operation on whole views marks without saying what.
 */
export interface MarkOlderReadAction {
  readonly kind: 'oldRead';
  readonly id: string;
  readonly narrow: Narrow;
  /** Nothing newer is marked: nobody had seen it. */
  readonly upTo: number;
  /** What is from here on was asked for already. */
  readonly before: number;
  /** How many pages were asked for. */
  readonly pages: number;
  /** The oldest was among them. */
  readonly isNamed: boolean;
  /** Nothing more is asked for or marked. */
  readonly isTakenBack: boolean;
}

/** Takes one of those back, as far as it came. */
export interface UndoMarkOlderReadAction {
  readonly kind: 'oldUnread';
  /** Of what is taken back. */
  readonly id: string;
}

export function newMarkOlderReadAction(id: string, narrow: Narrow, upTo: number): MarkOlderReadAction {
  const progress = {before: upTo + 1, pages: 0, isNamed: false, isTakenBack: false};
  return {kind: 'oldRead', id, narrow, upTo, ...progress};
}

/** As far as what it is about is known here: nothing else can show. */
export const markOlderReadHandler: OptimisticHandler<MarkOlderReadAction> = {
  effective: (state, action) =>
    action.isTakenBack || knownIds(state, action).length === 0 ? undefined : action,
  optimisticEvents: (state, action) => [
    flagsEvent(state, {kind: 'flags', op: 'add', flag: 'read', ids: knownIds(state, action)}),
  ],
};

function knownIds(state: AccountState, {narrow, upTo}: MarkOlderReadAction): readonly number[] {
  return unreadIdsOf(state, narrow).filter((id) => id <= upTo);
}

/** For what a disk gave. */
export function isMarkOlderReadAction(value: Readonly<Record<string, unknown>>): boolean {
  const {id, narrow, upTo, before, pages} = value;
  const numbers = [upTo, before, pages];
  return typeof id === 'string' && Array.isArray(narrow) && numbers.every((one) => Number.isSafeInteger(one));
}
