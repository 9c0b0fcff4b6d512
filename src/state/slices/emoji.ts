import {type CamelKeys, camelKeys} from '#std/camel.ts';
import type {WireEmoji} from '#wire/objects/organization.ts';

export type Emoji = CamelKeys<WireEmoji>;

/** The names of Unicode emoji that a server accepts: hex code → names, the canonical one first. */
export interface UnicodeEmoji {
  /** Where the list was downloaded. */
  readonly url: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

export function emojiFromWire(wire: WireEmoji): Emoji {
  return camelKeys(wire);
}
