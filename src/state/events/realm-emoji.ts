import {keepIfEqual, withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {emojiFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {RealmEmojiEvent} from '#wire/events/realm-emoji.ts';

export function applyRealmEmoji(state: AccountState, event: RealmEmojiEvent): AccountState {
  return withSlices(state, {emoji: emojiAfter(state.emoji, event)});
}

function emojiAfter(emoji: AccountState['emoji'], event: RealmEmojiEvent): AccountState['emoji'] {
  switch (event.op) {
    case 'add':
      return withValue(emoji, event.emoji.id, emojiFromWire(event.emoji));
    case 'update_one':
      return withFields(emoji, event.emoji_id, event.data);
    case 'update':
      return keepIfEqual(
        emoji,
        SortedMap.by(Object.values(event.realm_emoji).map(emojiFromWire), ({id}) => id),
      );
  }
}
