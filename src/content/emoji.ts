import {readAsset} from '#std/program-files.ts';

/** The content of emoji.json. `names` maps a hex code to its names, separated by spaces, the canonical one first. */
type EmojiFile = {names: Record<string, string>; emoticons: Record<string, string>};

/** Hex code → names, the canonical one first. */
type EmojiNames = Readonly<Record<string, readonly string[]>>;

/** The Unicode emoji with their names. */
export class EmojiNameTable {
  readonly #names: Readonly<Record<string, readonly string[] | string>>;
  #codeToNames: EmojiNames | undefined;
  #codeByName: ReadonlyMap<string, string> | undefined;

  /** The names of a code may be one string, separated by spaces. */
  constructor(names: Readonly<Record<string, readonly string[] | string>>) {
    this.#names = names;
  }

  /** Made on first use, like the codes by name: a message with one emoji needs neither. */
  get codeToNames(): EmojiNames {
    this.#codeToNames ??= Object.fromEntries(Object.keys(this.#names).map((code) => [code, this.names(code)]));
    return this.#codeToNames;
  }

  code(name: string): string | undefined {
    this.#codeByName ??= new Map(
      Object.entries(this.codeToNames).flatMap(([code, names]) => names.map((each) => [each, code] as const)),
    );
    return this.#codeByName.get(name);
  }

  names(code: string): readonly string[] {
    const names = Object.hasOwn(this.#names, code) ? this.#names[code] : undefined;
    return typeof names === 'string' ? names.split(' ') : (names ?? []);
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
  file ??= JSON.parse(readAsset('emoji/emoji.json')) as EmojiFile;
  return file;
}

/** Returns the emoji of the embedded server, which are also those of servers that do not say theirs. */
export function builtInEmoji(): EmojiNameTable {
  table ??= new EmojiNameTable(emojiFile().names);
  return table;
}

/** Returns the emoji name of an emoticon such as `:)`. */
export function emoticonName(emoticon: string): string | undefined {
  const {emoticons} = emojiFile();
  return Object.hasOwn(emoticons, emoticon) ? emoticons[emoticon] : undefined;
}

/** Returns the code of an emoji: `👍` → `1f44d`. Variation selectors are ignored. */
export function emojiCodeOfCharacters(characters: string): string {
  let code = '';
  for (const character of characters) {
    if (character === '\ufe0f') continue;
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    code = code === '' ? hex : `${code}-${hex}`;
  }
  return code;
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
