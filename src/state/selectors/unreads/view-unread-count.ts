import {type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import {sameArguments} from '#std/memo.ts';

/** Above this number of unread messages, views are not counted: each arriving message would visit all of them. */
const maxCounted = 5000;

interface Counted {
  readonly inputs: readonly unknown[];
  readonly count: number;
}

const lastCounts = new WeakMap<AccountState['self'], Map<NarrowKey, Counted>>();

/** Returns the number of unread messages in a narrow, as far as it is known without the server. */
export function viewUnreadCount(account: AccountState, narrow: Narrow): number {
  const {self, unreads, userTopics, subscriptions, channels, starred, mutedUsers} = account;
  if (unreads.byId.size > maxCounted) return 0;
  let counts = lastCounts.get(self);
  if (counts === undefined) {
    counts = new Map();
    lastCounts.set(self, counts);
  }
  const key = narrowKey(narrow);
  const inputs = [unreads, userTopics, subscriptions, channels, starred, mutedUsers, account.timelines.get(key)];
  const last = counts.get(key);
  if (last !== undefined && sameArguments(last.inputs, inputs)) return last.count;
  const count = unreadIdsOf(account, narrow).length;
  counts.set(key, {inputs, count});
  return count;
}
