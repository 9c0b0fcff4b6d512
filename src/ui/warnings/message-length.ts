import type {AccountState} from '#state/state.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

/** The counter shows from this share of the limit on. */
const visibleFrom = 0.8;

/**
 * Counts a message's characters once it nears the limit. Surrounding white space is not sent and does not count. `left`:
 * negative when the message is too long.
 */
export function lengthCounter({server}: Pick<AccountState, 'server'>, text: string) {
  const {maxMessageLength: limit = realmDefaults.max_message_length} = server;
  // A text never has more characters than UTF-16 units, so most texts are not counted at all.
  if (text.length < limit * visibleFrom) return undefined;
  let count = 0;
  for (const _character of text.trim()) count += 1;
  return count < limit * visibleFrom ? undefined : {count, limit, left: limit - count};
}
