import type {Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import type {OptimisticHandler} from './action-handler.ts';
import {flagsEvent} from './message-flags.ts';

/**
 * Marks the unread messages of a view up to a given one as read, including those that the server left out of
 * its list of unread messages. Their ids are fetched page by page while online, and each page is on disk
 * before the request that marks it, so that undo makes exactly those unread again, from any process and after
 * any crash. The server's own operation for whole views does not report what it marked.
 */
export interface MarkOlderReadAction {
  readonly kind: 'oldRead';
  readonly id: string;
  readonly narrow: Narrow;
  /** The newest message to mark: later ones were not seen. */
  readonly upTo: number;
  /** Messages from this id on were fetched already. */
  readonly before: number;
  /** The number of pages fetched. */
  readonly pages: number;
  /** All pages are fetched. */
  readonly isNamed: boolean;
  /** The action was undone: nothing more is fetched or marked. */
  readonly isTakenBack: boolean;
}

/** Undoes a marking as far as it got. */
export interface UndoMarkOlderReadAction {
  readonly kind: 'oldUnread';
  /** The id of the action to undo. */
  readonly id: string;
  /** What the action was, to redo it; records of earlier versions do not have it. */
  readonly redo?: Pick<MarkOlderReadAction, 'narrow' | 'upTo'> | undefined;
}

export function newMarkOlderReadAction(id: string, narrow: Narrow, upTo: number): MarkOlderReadAction {
  const progress = {before: upTo + 1, pages: 0, isNamed: false, isTakenBack: false};
  return {kind: 'oldRead', id, narrow, upTo, ...progress};
}

/** Shows the effect on the messages that are known here. */
export const markOlderReadHandler: OptimisticHandler<MarkOlderReadAction> = {
  effective: (state, action) => (action.isTakenBack || knownIds(state, action).length === 0 ? undefined : action),
  optimisticEvents: (state, action) => [
    flagsEvent(state, {kind: 'flags', op: 'add', flag: 'read', ids: knownIds(state, action)}),
  ],
};

function knownIds(state: AccountState, {narrow, upTo}: MarkOlderReadAction): readonly number[] {
  return unreadIdsOf(state, narrow).filter((id) => id <= upTo);
}

/** Checks the fields of an action from disk. */
export function isMarkOlderReadAction(value: Readonly<Record<string, unknown>>): boolean {
  const {id, narrow, upTo, before, pages} = value;
  const numbers = [upTo, before, pages];
  return typeof id === 'string' && Array.isArray(narrow) && numbers.every((number) => Number.isSafeInteger(number));
}
