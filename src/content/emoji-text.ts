import {printableLine} from '#std/printable.ts';
import {emojiCharacters} from './emoji.ts';
import type {EmojiToken} from './tokens.ts';

/** An emoji of a message or a reaction. */
export type ShownEmoji =
  | {readonly kind: 'unicode'; readonly name: string; readonly code: string}
  | {readonly kind: 'custom' | 'extra'; readonly name: string};

export interface EmojiOptions {
  /** Always writes `:name:`, for terminals and fonts without emoji. */
  readonly ascii: boolean;
  /**
   * Whether the terminal gives two columns to a character followed by U+FE0F. If not, characters that are text by default
   * (❤ ⚠ ☀) are written without U+FE0F: then they take one column on every terminal. With it some terminals use one column
   * and some two.
   */
  readonly wideVariation?: boolean;
  /** Whether the terminal shows sequences (families, flags, skin tones) as one character of two columns. */
  readonly sequences?: boolean;
}

const person = String.raw`\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:[\u{e0020}-\u{e007e}]{1,8}\u{e007f})?`;
/** The sequences that may be shown as a character: flags, keycaps, up to six joined pictures, or a skin tone alone. */
const emoji = new RegExp(
  String.raw`^(?:\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|\p{Emoji_Modifier}|${person}(?:\u200d${person}){0,5})$`,
  'u',
);
/** Characters that are shown as text unless U+FE0F follows. */
const textByDefault = /^(?!\p{Emoji_Presentation})[\p{Extended_Pictographic}0-9#*](?!\p{Emoji_Modifier})/u;
/** The longest emoji has ten code points. */
const maxCodeLength = 80;
const maxNameLength = 80;

/** Returns the emoji's characters, or `:name:` if it has none. A code that is not an emoji's is never shown as characters. */
export function emojiText(token: ShownEmoji, options: EmojiOptions): string {
  const name = `:${printableLine(token.name.slice(0, maxNameLength)).replaceAll(' ', '_')}:`;
  if (options.ascii || token.kind !== 'unicode' || token.code.length > maxCodeLength) return name;
  const characters = emojiCharacters(token.code);
  if (characters === undefined || !emoji.test(characters)) return name;
  const isSequence = !isSingleCodePoint(characters);
  if (isSequence && options.sequences === false) return name;
  return options.wideVariation === true ? withEmojiPresentation(characters) : characters;
}

/** Returns the address of the image of an emoji that has one: a custom emoji, or the one that every server has. */
export function emojiImageUrl(token: EmojiToken): string | undefined {
  if (token.kind === 'unicode') return undefined;
  return token.kind === 'custom' ? token.sourceUrl : `/static/generated/emoji/images/emoji/unicode/${token.name}.png`;
}

function isSingleCodePoint(characters: string): boolean {
  return Array.from(characters.replaceAll('\ufe0f', '')).length === 1;
}

/** Adds U+FE0F to characters that would be shown as text without it. */
function withEmojiPresentation(characters: string): string {
  return characters
    .split('\u200d')
    .map((part) => (textByDefault.test(part) && !part.includes('\ufe0f') ? part.replace(/^./u, '$&\ufe0f') : part))
    .join('\u200d');
}
