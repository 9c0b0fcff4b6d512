import {keepIfEqual, withFields, withValue} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireEmoji} from '#wire/objects/organization.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type Emoji = CamelKeys<WireEmoji>;

/** The names of Unicode emoji that a server accepts: hex code → names, the canonical one first. */
export interface UnicodeEmoji {
  /** Where the list was downloaded. */
  readonly url: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

function emojiMap(table: Readonly<Record<string, WireEmoji>>): SortedMap<string, Emoji> {
  return SortedMap.by(Object.values(table).map(camelKeys), ({id}) => id);
}

export const emoji: Slice<SortedMap<string, Emoji>, 'realm_emoji'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['realm_emoji'], ({realm_emoji = {}}) => emojiMap(realm_emoji)),
  saved: savedMap('string', {id: 'string', name: 'string'}),
  appliers: {
    realm_emoji: (before, event) => {
      switch (event.op) {
        case 'add':
          return withValue(before, event.emoji.id, camelKeys(event.emoji));
        case 'update_one':
          return withFields(before, event.emoji_id, event.data);
        case 'update':
          return keepIfEqual(before, emojiMap(event.realm_emoji));
      }
    },
  },
};

/** The server's names of Unicode emoji; undefined until they are loaded, and for servers that do not say them. */
export const unicodeEmoji: Slice<UnicodeEmoji | undefined, 'unicode_emoji_loaded'> = {
  initial: undefined,
  registered: 'kept',
  saved: 'no',
  appliers: {
    unicode_emoji_loaded: (_before, event) => event.emoji,
  },
};
