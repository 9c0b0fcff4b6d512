/**
 * One key. A printable one is named by its character; those without a sign of their own are named in English. The same
 * key gives the same value in every terminal, whether it speaks the old encodings or the new ones.
 */
export interface Key {
  readonly name: string;
  readonly ctrl?: true;
  readonly alt?: true;
  /** Only where the character does not tell: Shift-Tab, Shift-Up, Ctrl-Shift-X; but `A` and `?`. */
  readonly shift?: true;
  /** What it writes into a text field; keys that only command have none. */
  readonly text?: string;
  /** What the key in the same place writes on a US keyboard, from terminals that say so. */
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

const signless = [
  ...['Enter', 'Esc', 'Tab', 'Backspace', 'Delete', 'Insert', 'Up', 'Down', 'Left', 'Right'],
  ...['Home', 'End', 'PageUp', 'PageDown', ...Array.from({length: 35}, (_, index) => `F${index + 1}`)],
];
const names: ReadonlyMap<string, string> = new Map([
  ...[...signless, 'Space'].map((name): [string, string] => [name.toLowerCase(), name]),
  ...['return', 'ret', 'cr', 'newline'].map((name): [string, string] => [name, 'Enter']),
  ...Object.entries({escape: 'Esc', bs: 'Backspace', del: 'Delete', ins: 'Insert', spc: 'Space'}),
  ...Object.entries({pgup: 'PageUp', pgdn: 'PageDown', pgdown: 'PageDown', minus: '-', plus: '+'}),
  ...Object.entries({lt: '<', gt: '>', bar: '|', bslash: '\\', backslash: '\\'}),
]);
const hasNoSign: ReadonlySet<string> = new Set(signless);

/** Control characters are these keys, so they stay these keys where a terminal could tell them apart. */
const sameByte: ReadonlyMap<string, string> = new Map(
  Object.entries({'[': 'Esc', i: 'Tab', m: 'Enter', h: 'Backspace', '/': '_', '@': 'Space'}),
);
/** Signs that are typed with Shift on most keyboards: Shift says nothing more about them. */
const shiftedSigns = '~!@#$%^&*()_+{}|:"<>?';

/** The one way to make a key: what is the same key becomes an equal value. */
export function keyOf(name: string, modifiers: Modifiers = {}, writing: KeyText = {}): Key {
  if (hasNoSign.has(name)) return plain(name, modifiers);
  const {ctrl = false, alt = false, shift = false} = modifiers;
  if (name === ' ' || name === 'Space')
    return plain('Space', {ctrl, alt}, ctrl || alt ? {} : {text: writing.text ?? ' '});
  if (ctrl) return controlKey(name, modifiers, writing);
  const sign = shift ? upper(name) : name;
  const text = alt ? undefined : (writing.text ?? sign);
  return plain(sign, {alt, shift: shift && !tellsShift(sign)}, {text, base: writing.base});
}

/** Ctrl knows no capital letters in most terminals: letters stay small, and Shift is told beside them. */
function controlKey(name: string, modifiers: Modifiers, {base}: KeyText): Key {
  const small = lower(name);
  const shift = modifiers.shift === true && (upper(small) !== small || !tellsShift(small));
  const same = shift ? undefined : sameByte.get(small);
  if (same === undefined) return plain(small, {...modifiers, shift}, {base});
  return plain(same, {...modifiers, ctrl: same === '_' || same === 'Space', shift: false});
}

/** Of one character; those whose capital is several (`ß`) or another's (`ς`) have none. */
function upper(name: string): string {
  const capital = name.toUpperCase();
  return capital.toLowerCase() === name.toLowerCase() && capital.length === name.length ? capital : name;
}

function lower(name: string): string {
  const small = name.toLowerCase();
  return small.length === name.length ? small : name;
}

function tellsShift(sign: string): boolean {
  return shiftedSigns.includes(sign) || sign.toLowerCase() !== sign;
}

function plain(name: string, {ctrl, alt, shift}: Modifiers, {text, base}: KeyText = {}): Key {
  return {
    name,
    ...(ctrl && {ctrl: true}),
    ...(alt && {alt: true}),
    ...(shift && {shift: true}),
    ...(text !== undefined && {text}),
    ...(base !== undefined && base !== name && {base}),
  };
}

/** As people read it and as keymaps are written: `Ctrl-X`, `Alt-a`, `Shift-Tab`, `Space`, `G`. */
export function keyName({name, ctrl, alt, shift}: Key): string {
  const isLetter = !hasNoSign.has(name) && name !== 'Space';
  return `${ctrl ? 'Ctrl-' : ''}${alt ? 'Alt-' : ''}${shift ? 'Shift-' : ''}${ctrl && isLetter ? upper(name) : name}`;
}

const modifierWord = /^(?:(ctrl|control|c)|(alt|meta|option|opt|a|m)|(shift|s))[-+](?=.)/iu;

/** The way back, forgiving in spelling: `ctrl+x`, `C-x`, `^X`, `M-a`, `<space>`. Nothing when it names no key. */
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
