import {readFileSync} from 'node:fs';
import {assetPath} from '#std/assets.ts';

/** The content of emoji.json. `names` maps a hex code to its names, separated by spaces, the canonical one first. */
type EmojiFile = {names: Record<string, string>; emoticons: Record<string, string>};

/** Hex code → names, the canonical one first. */
export type EmojiNames = Readonly<Record<string, readonly string[]>>;

/** The Unicode emoji with their names. */
export class EmojiNameTable {
  readonly codeToNames: EmojiNames;
  readonly #codeByName = new Map<string, string>();

  constructor(codeToNames: EmojiNames) {
    this.codeToNames = codeToNames;
    for (const [code, names] of Object.entries(codeToNames)) {
      for (const name of names) this.#codeByName.set(name, code);
    }
  }

  code(name: string): string | undefined {
    return this.#codeByName.get(name);
  }

  names(code: string): readonly string[] {
    return Object.hasOwn(this.codeToNames, code) ? (this.codeToNames[code] ?? []) : [];
  }

  /** Returns the canonical name of a code such as `1f44d`. */
  name(code: string): string | undefined {
    return this.names(code)[0];
  }
}

let file: EmojiFile | undefined;
let table: EmojiNameTable | undefined;

/** Returns the content of emoji.json. It is read on first use, because start-up does not need it. */
function emojiFile(): EmojiFile {
  file ??= JSON.parse(readFileSync(assetPath('emoji/emoji.json'), 'utf8')) as EmojiFile;
  return file;
}

/** Returns the emoji of the embedded server, which are also those of servers that do not say theirs. */
export function builtInEmoji(): EmojiNameTable {
  table ??= new EmojiNameTable(
    Object.fromEntries(Object.entries(emojiFile().names).map(([code, names]) => [code, names.split(' ')])),
  );
  return table;
}

/** Returns the emoji name of an emoticon such as `:)`. */
export function emoticonName(emoticon: string): string | undefined {
  const {emoticons} = emojiFile();
  return Object.hasOwn(emoticons, emoticon) ? emoticons[emoticon] : undefined;
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
