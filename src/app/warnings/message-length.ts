import type {AccountState} from '#state/state.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

export interface LengthCounter {
  readonly count: number;
  readonly limit: number;
  /** Below zero it is too long. */
  readonly left: number;
}

/** From this share of the limit on the count is shown. */
const shownFrom = 0.8;

/** How long a message is, once that is worth knowing. White space around it is not sent and does not count. */
export function lengthCounter(
  {server}: Pick<AccountState, 'server'>,
  text: string,
): LengthCounter | undefined {
  const {maxMessageLength: limit = realmDefaults.max_message_length} = server;
  // Never more characters than units: most texts are not counted at all.
  if (text.length < limit * shownFrom) return undefined;
  let count = 0;
  for (const _character of text.trim()) count += 1;
  return count < limit * shownFrom ? undefined : {count, limit, left: limit - count};
}
