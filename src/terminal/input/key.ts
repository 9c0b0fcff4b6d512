/**
 * A key. Printable keys are named by their character, others by an English name. The same key gives an equal
 * value in every terminal, whatever encoding it uses.
 */
export interface Key {
  readonly name: string;
  readonly ctrl?: true;
  readonly alt?: true;
  /** Set only where the character does not show it: Shift-Tab, Shift-Up, Ctrl-Shift-X, but not `A` or `?`. */
  readonly shift?: true;
  /** The text that it types; undefined for keys that only command. */
  readonly text?: string;
  /** The character of this key's position on a US keyboard, from terminals that report it. */
  readonly base?: string;
}

export interface Modifiers {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

interface KeyText {
  readonly text?: string | undefined;
  readonly base?: string | undefined;
}

const namedKeys = [
  ...['Enter', 'Esc', 'Tab', 'Backspace', 'Delete', 'Insert', 'Up', 'Down', 'Left', 'Right'],
  ...['Home', 'End', 'PageUp', 'PageDown', ...Array.from({length: 35}, (_, index) => `F${index + 1}`)],
];
const names: ReadonlyMap<string, string> = new Map([
  ...[...namedKeys, 'Space'].map((name): [string, string] => [name.toLowerCase(), name]),
  ...['return', 'ret', 'cr', 'newline'].map((name): [string, string] => [name, 'Enter']),
  ...Object.entries({escape: 'Esc', bs: 'Backspace', del: 'Delete', ins: 'Insert', spc: 'Space'}),
  ...Object.entries({pgup: 'PageUp', pgdn: 'PageDown', pgdown: 'PageDown', minus: '-', plus: '+'}),
  ...Object.entries({lt: '<', gt: '>', bar: '|', bslash: '\\', backslash: '\\'}),
]);
const namedKeySet: ReadonlySet<string> = new Set(namedKeys);

/**
 * Control characters and the keys that send the same byte. They count as these keys even where a terminal
 * distinguishes them.
 */
const sameByte: ReadonlyMap<string, string> = new Map(
  Object.entries({'[': 'Esc', i: 'Tab', m: 'Enter', h: 'Backspace', '/': '_', '@': 'Space'}),
);
/** Characters that need Shift on most keyboards, so that Shift is not reported with them. */
const shiftedCharacters = '~!@#$%^&*()_+{}|:"<>?';

/** Makes a key. All keys must be made here, so that equal keys become equal values. */
export function keyOf(name: string, modifiers: Modifiers = {}, keyText: KeyText = {}): Key {
  if (namedKeySet.has(name)) return makeKey(name, modifiers);
  const {ctrl = false, alt = false, shift = false} = modifiers;
  if (name === ' ' || name === 'Space')
    return makeKey('Space', {ctrl, alt}, ctrl || alt ? {} : {text: keyText.text ?? ' '});
  if (ctrl) return controlKey(name, modifiers, keyText);
  const character = shift ? upper(name) : name;
  const text = alt ? undefined : (keyText.text ?? character);
  return makeKey(character, {alt, shift: shift && !impliesShift(character)}, {text, base: keyText.base});
}

/**
 * Makes a key with Ctrl. Most terminals ignore the case of letters with Ctrl, so letters are lower case and
 * Shift is separate.
 */
function controlKey(name: string, modifiers: Modifiers, {base}: KeyText): Key {
  const small = lower(name);
  const shift = modifiers.shift === true && (upper(small) !== small || !impliesShift(small));
  const same = shift ? undefined : sameByte.get(small);
  if (same === undefined) return makeKey(small, {...modifiers, shift}, {base});
  return makeKey(same, {...modifiers, ctrl: same === '_' || same === 'Space', shift: false});
}

/** Returns the upper-case character, or the same one if upper case is several characters (`ß`) or ambiguous (`ς`). */
function upper(name: string): string {
  const capital = name.toUpperCase();
  return capital.toLowerCase() === name.toLowerCase() && capital.length === name.length ? capital : name;
}

function lower(name: string): string {
  const small = name.toLowerCase();
  return small.length === name.length ? small : name;
}

function impliesShift(character: string): boolean {
  return shiftedCharacters.includes(character) || character.toLowerCase() !== character;
}

function makeKey(name: string, {ctrl, alt, shift}: Modifiers, {text, base}: KeyText = {}): Key {
  return {
    name,
    ...(ctrl && {ctrl: true}),
    ...(alt && {alt: true}),
    ...(shift && {shift: true}),
    ...(text !== undefined && {text}),
    ...(base !== undefined && base !== name && {base}),
  };
}

/** Returns the name for users and keymaps: `Ctrl-X`, `Alt-a`, `Shift-Tab`, `Space`, `G`. */
export function keyName({name, ctrl, alt, shift}: Key): string {
  const isLetter = !namedKeySet.has(name) && name !== 'Space';
  return `${ctrl ? 'Ctrl-' : ''}${alt ? 'Alt-' : ''}${shift ? 'Shift-' : ''}${ctrl && isLetter ? upper(name) : name}`;
}

const modifierWord = /^(?:(ctrl|control|c)|(alt|meta|option|opt|a|m)|(shift|s))[-+](?=.)/iu;

/**
 * Parses a key's name in many spellings: `ctrl+x`, `C-x`, `^X`, `M-a`, `<space>`. Returns undefined when it is no key.
 */
export function parseKeyName(text: string): Key | undefined {
  let rest = text.trim();
  if (/^<[^<>]{2,}>$/u.test(rest)) rest = rest.slice(1, -1);
  let modifiers: Modifiers = {};
  for (let word = modifierWord.exec(rest); word !== null; word = modifierWord.exec(rest)) {
    const [all, ctrl, alt] = word;
    modifiers = {...modifiers, [ctrl !== undefined ? 'ctrl' : alt !== undefined ? 'alt' : 'shift']: true};
    rest = rest.slice(all.length);
  }
  if (/^\^[^\s^]$/u.test(rest)) {
    modifiers = {...modifiers, ctrl: true};
    rest = rest.slice(1);
  }
  if (/^back-?tab$/iu.test(rest)) return keyOf('Tab', {...modifiers, shift: true});
  const name = names.get(rest.toLowerCase()) ?? character(rest);
  return name === undefined ? undefined : keyOf(name, modifiers);
}

function character(text: string): string | undefined {
  const composed = text.normalize('NFC');
  return /^[^\p{Cc}\p{Cs}\s]$/u.test(composed) ? composed : undefined;
}
