import {printableLine} from '#std/printable.ts';
import {emojiCharacters} from './emoji.ts';

/** Of a message or of a reaction. */
export type ShownEmoji =
  | {readonly kind: 'unicode'; readonly name: string; readonly code: string}
  | {readonly kind: 'custom' | 'extra'; readonly name: string};

export interface EmojiOptions {
  /** For terminals and fonts without emoji: always `:name:`. */
  readonly ascii: boolean;
  /**
   * Whether the terminal gives two columns to a character followed by U+FE0F. Without, characters that are text by default
   * (❤ ⚠ ☀) go without it: then they take one column on every terminal, whereas with it some take one and some two.
   */
  readonly wideVariation?: boolean;
  /** Whether the terminal shows sequences (families, flags, skin tones) as one character of two columns. */
  readonly sequences?: boolean;
}

const person = String.raw`\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:[\u{e0020}-\u{e007e}]{1,8}\u{e007f})?`;
/** What may be shown as a character: flags, keycaps, and up to six pictures joined, or a skin tone alone. */
const emoji = new RegExp(
  String.raw`^(?:\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|\p{Emoji_Modifier}|${person}(?:\u200d${person}){0,5})$`,
  'u',
);
/** Text unless U+FE0F follows. */
const textByDefault = /^(?!\p{Emoji_Presentation})[\p{Extended_Pictographic}0-9#*](?!\p{Emoji_Modifier})/u;
/** The longest of all has ten code points. */
const longestCode = 80;
const longestName = 80;

/** The character, or `:name:` where there is none to show. A code that is not an emoji's is never shown as characters. */
export function emojiText(token: ShownEmoji, options: EmojiOptions): string {
  const name = `:${printableLine(token.name.slice(0, longestName)).replaceAll(' ', '_')}:`;
  if (options.ascii || token.kind !== 'unicode' || token.code.length > longestCode) return name;
  const characters = emojiCharacters(token.code);
  if (characters === undefined || !emoji.test(characters)) return name;
  const isSequence = !isOne(characters);
  if (isSequence && options.sequences === false) return name;
  return options.wideVariation === true ? qualified(characters) : characters;
}

function isOne(characters: string): boolean {
  return Array.from(characters.replaceAll('\ufe0f', '')).length === 1;
}

/** With U+FE0F where the characters would be text otherwise. */
function qualified(characters: string): string {
  return characters
    .split('\u200d')
    .map((part) =>
      textByDefault.test(part) && !part.includes('\ufe0f') ? part.replace(/^./u, '$&\ufe0f') : part,
    )
    .join('\u200d');
}
