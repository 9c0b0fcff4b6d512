import type {CamelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireUserStatus} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';

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

export function statusMap(statuses: NonNullable<Snapshot['user_status']>): SortedMap<number, UserStatus> {
  return SortedMap.empty<number, UserStatus>().edit((draft) => {
    for (const [id, wire] of Object.entries(statuses)) {
      const status = statusFromWire(wire);
      if (status !== undefined) draft.set(Number(id), status);
    }
  });
}
