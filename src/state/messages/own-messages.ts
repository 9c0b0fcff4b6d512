import type {Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {EventOf} from '#wire/events.ts';

/*
 * A user's own messages are those that reached them and those that they starred or reacted to. Views that name no
 * channel list only these.
 */

/**
 * Returns whether moved messages are no longer the user's own: they leave a channel that the user is or was subscribed
 * to, for one that they are not subscribed to. The server drops the user's flags on them, stars included.
 */
export function leavesOwnMessages(
  {subscriptions}: Pick<AccountState, 'subscriptions'>,
  {stream_id: from, new_stream_id: to}: EventOf<'update_message'>,
): boolean {
  if (from === undefined || to === undefined || from === to) return false;
  return subscriptions.has(from) && subscriptions.get(to)?.isSubscribed !== true;
}

export function listsOwnMessages(narrow: Narrow): boolean {
  return !narrow.some(({operator, negated}) => negated !== true && (operator === 'channel' || operator === 'channels'));
}
