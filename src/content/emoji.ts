import {readFileSync} from 'node:fs';
import {assetPath} from '#std/assets.ts';

/** The content of emoji.json. `names` maps a hex code to its names, separated by spaces, the canonical one first. */
type EmojiFile = {names: Record<string, string>; emoticons: Record<string, string>};

type EmojiTables = {
  codeToNames: Record<string, string[]>;
  nameToCode: Map<string, string>;
  emoticons: Map<string, string>;
};

let tables: EmojiTables | undefined;

/** Returns the emoji tables. They are read on first use, because start-up does not need them. */
function emojiTables(): EmojiTables {
  if (tables !== undefined) return tables;
  const file: EmojiFile = JSON.parse(readFileSync(assetPath('emoji/emoji.json'), 'utf8'));
  const codeToNames: Record<string, string[]> = {};
  const nameToCode = new Map<string, string>();
  for (const [code, joined] of Object.entries(file.names)) {
    const names = joined.split(' ');
    codeToNames[code] = names;
    for (const name of names) nameToCode.set(name, code);
  }
  tables = {codeToNames, nameToCode, emoticons: new Map(Object.entries(file.emoticons))};
  return tables;
}

/** Returns the body that the server sends at `server_emoji_data_url`. */
export function emojiData(): {code_to_names: Record<string, string[]>} {
  return {code_to_names: emojiTables().codeToNames};
}

export function emojiCode(name: string): string | undefined {
  return emojiTables().nameToCode.get(name);
}

/** Returns the canonical name of a code such as `1f44d`. */
export function emojiName(code: string): string | undefined {
  return emojiNames(code)[0];
}

export function emojiNames(code: string): readonly string[] {
  const {codeToNames} = emojiTables();
  return Object.hasOwn(codeToNames, code) ? (codeToNames[code] ?? []) : [];
}

/** Returns the emoji name of an emoticon such as `:)`. */
export function emoticonName(emoticon: string): string | undefined {
  return emojiTables().emoticons.get(emoticon);
}

/** Returns the code of an emoji: `👍` → `1f44d`. Variation selectors are ignored. */
export function emojiCodeOfCharacters(characters: string): string {
  return Array.from(characters)
    .filter((character) => character !== '\ufe0f')
    .map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('-');
}

/** The longest emoji has ten code points. */
const maxCodePoints = 16;

/** Returns the characters of a code: `1f44d` → `👍`; undefined when it is not a code. */
export function emojiCharacters(code: string): string | undefined {
  const points = code.split('-').map((hex) => (/^[0-9a-f]{1,6}$/i.test(hex) ? Number.parseInt(hex, 16) : -1));
  const isCharacter = (point: number) =>
    point >= 0x20 && (point < 0x7f || point > 0x9f) && (point < 0xd800 || point > 0xdfff) && point <= 0x10ffff;
  if (points.length > maxCodePoints || !points.every(isCharacter)) return undefined;
  return String.fromCodePoint(...points);
}
