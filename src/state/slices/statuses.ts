import {withValue} from '#state/model/immutable-updates.ts';
import type {CamelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireUserStatus} from '#wire/objects/user.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** Contains only the fields that are set. */
export type UserStatus = CamelKeys<WireUserStatus>;

/**
 * Returns the fields that are set, or undefined when none is. `before` is the status that a change applies
 * to; empty text clears a field.
 */
export function statusFromWire(wire: WireUserStatus, before: UserStatus = {}): UserStatus | undefined {
  const statusText = wire.status_text ?? before.statusText ?? '';
  const emojiName = wire.emoji_name ?? before.emojiName ?? '';
  const away = wire.away ?? before.away ?? false;
  if (statusText === '' && emojiName === '' && !away) return undefined;
  return {
    ...(statusText !== '' && {statusText}),
    ...(emojiName !== '' && {
      emojiName,
      emojiCode: wire.emoji_code ?? before.emojiCode ?? '',
      reactionType: wire.reaction_type ?? before.reactionType ?? 'unicode_emoji',
    }),
    ...(away && {away}),
  };
}

export const statuses: Slice<SortedMap<number, UserStatus>, 'user_status'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['user_status'], ({user_status = {}}) =>
    SortedMap.empty<number, UserStatus>().edit((draft) => {
      for (const [id, wire] of Object.entries(user_status)) {
        const status = statusFromWire(wire);
        if (status !== undefined) draft.set(Number(id), status);
      }
    }),
  ),
  saved: savedMap('number'),
  appliers: {
    user_status: (before, event) => {
      const status = statusFromWire(event, before.get(event.user_id));
      return status === undefined ? before.without(event.user_id) : withValue(before, event.user_id, status);
    },
  },
};
