/** The keyboard modes that a program has set in its terminal; they decide which bytes a key sends. */
export interface KeyboardState {
  /** The flags of the kitty protocol; 0 when it is off. */
  readonly kittyFlags: number;
  /** The level of modifyOtherKeys: 2 reports every modified key. */
  readonly modifyOtherKeys: number;
  readonly applicationCursor: boolean;
}

export const plainKeyboard: KeyboardState = {kittyFlags: 0, modifyOtherKeys: 0, applicationCursor: false};

interface Stroke {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

const [disambiguate, alternates] = [1, 4] as const;
const esc = '\u001b';
const csi = `${esc}[`;

/** Keys that send one byte. */
const controls: Readonly<Record<string, number>> = {Enter: 13, Tab: 9, Esc: 27, Backspace: 127, Space: 32};
const letters: Readonly<Record<string, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  Home: 'H',
  End: 'F',
  F1: 'P',
  F2: 'Q',
  F3: 'R',
  F4: 'S',
};
const numbers: Readonly<Record<string, number>> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};

/** The keys with a shifted character on a US keyboard. */
const unshifted = new Map(
  Array.from('~!@#$%^&*()_+{}|:"<>?', (shifted, at) => [shifted, "`1234567890-=[]\\;',./"[at] ?? shifted]),
);

/** Returns the bytes of a key such as `j`, `Enter`, `Ctrl-X`, `Alt-a`, `Shift-Tab` or `F1` in these modes. */
export function keyBytes(name: string, keyboard: KeyboardState = plainKeyboard): string {
  const stroke = strokeOf(name);
  const letter = letters[stroke.key];
  if (letter !== undefined) return lettered(stroke, letter, keyboard);
  const number = numbers[stroke.key];
  if (number !== undefined) return `${csi}${number}${modified(stroke) ? `;${modifier(stroke)}` : ''}~`;
  if ((keyboard.kittyFlags & disambiguate) !== 0) return kitty(stroke, keyboard.kittyFlags);
  if (keyboard.modifyOtherKeys >= 2 && isOtherKey(stroke)) {
    return `${csi}27;${modifier(stroke)};${controls[stroke.key] ?? codeOf(stroke.key)}~`;
  }
  return legacy(stroke);
}

function strokeOf(name: string): Stroke {
  const [, prefix = '', key = ''] = /^((?:Ctrl-|Alt-|Shift-)*)(.+)$/su.exec(name) ?? [];
  const isNamed = key in controls || key in letters || key in numbers;
  if (!isNamed && [...key].length !== 1) throw new Error(`There is no key “${name}”.`);
  const ctrl = prefix.includes('Ctrl-');
  // Capital letters name the key in Ctrl-X, and the shifted character everywhere else.
  const isCapital = !isNamed && !ctrl && key !== key.toLowerCase();
  const shift = prefix.includes('Shift-') || isCapital || unshifted.has(key);
  return {ctrl, alt: prefix.includes('Alt-'), shift, key: ctrl && !isNamed ? key.toLowerCase() : key};
}

function modified({ctrl, alt, shift}: Stroke): boolean {
  return ctrl || alt || shift;
}

function modifier({ctrl, alt, shift}: Stroke): number {
  return 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function lettered(stroke: Stroke, letter: string, keyboard: KeyboardState): string {
  const isFunction = stroke.key.startsWith('F');
  const isKitty = (keyboard.kittyFlags & disambiguate) !== 0;
  // In the kitty protocol the letter R would be a cursor report.
  if (stroke.key === 'F3' && isKitty) return `${csi}13${modified(stroke) ? `;${modifier(stroke)}` : ''}~`;
  if (modified(stroke)) return `${csi}1;${modifier(stroke)}${letter}`;
  const isSs3 = isFunction ? !isKitty : keyboard.applicationCursor;
  return `${isSs3 ? `${esc}O` : csi}${letter}`;
}

function kitty(stroke: Stroke, flags: number): string {
  const {ctrl, alt, key} = stroke;
  const control = controls[key];
  if (control !== undefined) {
    const isBare = key !== 'Esc' && (key === 'Space' ? !ctrl && !alt : !modified(stroke));
    if (isBare) return String.fromCodePoint(control);
    return `${csi}${control}${modified(stroke) ? `;${modifier(stroke)}` : ''}u`;
  }
  if (!ctrl && !alt) return key;
  const base = unshifted.get(key) ?? key.toLowerCase();
  const shifted = (flags & alternates) !== 0 && base !== key ? `:${codeOf(key)}` : '';
  return `${csi}${codeOf(base)}${shifted};${modifier(stroke)}u`;
}

/** Returns whether modifyOtherKeys reports the key: shifted text and keys with their own sequence are sent as usual. */
function isOtherKey({ctrl, alt, shift, key}: Stroke): boolean {
  if (ctrl || alt) return true;
  return shift && (key === 'Enter' || key === 'Backspace' || key === 'Esc');
}

function legacy(stroke: Stroke): string {
  const {ctrl, alt, shift, key} = stroke;
  if (key === 'Tab' && shift) return `${csi}Z`;
  const control = controls[key];
  const plain = control === undefined ? key : String.fromCodePoint(control);
  return `${alt ? esc : ''}${ctrl ? controlled(plain) : plain}`;
}

/** Returns what Ctrl makes of a character on a terminal without a keyboard protocol. */
function controlled(character: string): string {
  if (character === '\u007f') return '\b';
  if (character === '/') return '\u001f';
  if (character === '?') return '\u007f';
  return /^[@a-z[\\\]^_ ]$/.test(character) ? String.fromCodePoint(codeOf(character) & 0x1f) : character;
}
