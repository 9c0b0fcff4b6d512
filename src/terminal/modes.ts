import {esc, osc, privateMode} from './control-sequences.ts';
import type {TerminalEnvironment, TerminalKind} from './environment.ts';

/** The terminal modes that Parley changes; they are restored on every exit. */
export interface ModeOptions {
  readonly alternateScreen: boolean;
  readonly mouse: boolean;
  /** Whether the terminal must not order right-to-left text, because Parley does. */
  readonly ordersText?: boolean;
  /** The colours of text and background, such as `#282828`; undefined for those of the terminal. */
  readonly colors?: {readonly text: string; readonly background: string} | undefined;
}

export type KeyboardProtocol = 'kitty' | 'modify_other_keys' | 'legacy';

/** The cursor: a bar in text fields, and elsewhere the terminal's default. */
type CursorShape = 'bar' | 'usual';

/** Clears the screen and puts the cursor in its corner. */
export const clearedScreen: string = `${esc}[H${esc}[2J`;
const plain = `${esc}[0m`;
const usualCursor = `${esc}[0 q`;
const keyboardReset = `${esc}[<u${esc}[>4m`;
const [mouseOn, mouseOff] = switched(1000, 1002, 1006);
const [wheelAsArrows, wheelAsWheel] = switched(1007);

/** Returns the sequences that set and reset private modes. */
function switched(...modes: readonly number[]): readonly [on: string, off: string] {
  const all = (isOn: boolean) => modes.map((mode) => privateMode(mode, isOn)).join('');
  return [all(true), all(false)];
}

/**
 * The sequences of each mode, by the kinds of terminal that know it or ignore it: what sets it, and what restores it. They are
 * restored in the opposite order: the keyboard's stack belongs to the alternate screen.
 */
type ModeRow = readonly [kinds: readonly TerminalKind[], set: string, restore: string];

function modeTable({alternateScreen, mouse, ordersText = false, colors}: ModeOptions): readonly ModeRow[] {
  const hidden = privateMode(25, false);
  const shown = privateMode(25, true);
  return [
    [['xterm'], '', plain],
    [['xterm'], '', `${esc}[23;0t`],
    // Before the screen is cleared: some terminals fill it with the background of that moment.
    ...(colors ? ([[['xterm'], colorMode(colors), colorMode(undefined)]] as const) : []),
    // Only new Linux consoles have an alternate screen, so theirs is also cleared.
    ...(alternateScreen ? ([[['linux', 'xterm'], ...switched(1049)]] as const) : []),
    [['serial', 'linux', 'xterm'], clearedScreen, ''],
    [alternateScreen ? ['serial', 'linux'] : ['serial'], '', clearedScreen],
    [['serial', 'linux', 'xterm'], hidden, shown],
    [['serial', 'linux'], '', plain],
    [['xterm'], '', usualCursor],
    // Synchronized output.
    [['xterm'], '', privateMode(2026, false)],
    [['xterm'], mouse ? mouseOn : wheelAsArrows, mouseOff + wheelAsWheel],
    ...(ordersText ? ([[['xterm'], textOrderMode(true), textOrderMode(false)]] as const) : []),
    // Reports of the colour scheme and of the focus, and marks around pastes.
    [['xterm'], ...switched(2031)],
    [['xterm'], ...switched(1004)],
    [['linux', 'xterm'], ...switched(2004)],
    [['xterm'], '', keyboardReset],
    // A frame that was cut off in a character at the end of a row has left wrapping off.
    [['serial', 'linux', 'xterm'], '', privateMode(7, true)],
    // The margins of a frame that was cut off while it scrolled. Resetting them moves the cursor.
    [['serial', 'linux', 'xterm'], '', alternateScreen ? `${esc}[r` : `${esc}7${esc}[r${esc}8`],
  ];
}

/**
 * Returns the sequences that take over the screen. The keyboard protocol follows when the terminal has replied. A picture of the
 * first frame stays on the screen, which is the alternate one already.
 */
export function enterModes(environment: TerminalEnvironment, options: ModeOptions, hasPicture = false): string {
  const titleSaved = environment.kind === 'xterm' ? `${esc}[22;0t` : '';
  if (hasPicture) return repeatModes(environment, options).replace(privateMode(1049, true) + clearedScreen, '');
  return (
    titleSaved +
    modesOf(environment, options)
      .map(([, set]) => set)
      .join('')
  );
}

/**
 * Returns the sequences that set all modes once more and clear the screen: the terminal may be another one. Nothing is added
 * to the stacks of titles and keyboard protocols.
 */
export function repeatModes(environment: TerminalEnvironment, options: ModeOptions): string {
  const keyboard = environment.kind === 'xterm' ? keyboardReset : '';
  return (
    modesOf(environment, options)
      .map(([, set]) => set)
      .join('') + keyboard
  );
}

/** Returns the sequences that restore all modes, whether they were changed or not, so that they can be sent at any time. */
export function leaveModes(
  environment: TerminalEnvironment,
  options: Omit<ModeOptions, 'mouse'> = {alternateScreen: true},
): string {
  return modesOf(environment, {...options, mouse: false})
    .map(([, , restore]) => restore)
    .reverse()
    .join('');
}

function modesOf({kind}: TerminalEnvironment, options: ModeOptions): readonly ModeRow[] {
  return modeTable(options).filter(([kinds]) => kinds.includes(kind));
}

/** Returns the sequence after which Parley orders right-to-left text (`isOurs`), or the terminal does (BDSM of ECMA-48). */
export function textOrderMode(isOurs: boolean): string {
  return `${esc}[8${isOurs ? 'l' : 'h'}`;
}

/** Returns the sequences that set the terminal's text, background and cursor colours, or reset them to its configuration. */
export function colorMode(colors: ModeOptions['colors']): string {
  if (colors === undefined) return ['110', '111', '112'].map((code) => osc(code)).join('');
  const {text, background} = colors;
  return osc(`10;${text}`) + osc(`11;${background}`) + osc(`12;${text}`);
}

/**
 * Returns the sequence that turns the mouse on or off. When off, the wheel sends arrow keys, so that it still scrolls.
 */
export function mouseMode({kind}: TerminalEnvironment, isOn: boolean): string {
  if (kind !== 'xterm') return '';
  return isOn ? wheelAsWheel + mouseOn : mouseOff + wheelAsArrows;
}

/**
 * Returns the sequence that lets keys be distinguished which otherwise send the same byte; kitty's also
 * reports the key on a US layout.
 */
export function keyboardMode(protocol: KeyboardProtocol): string {
  if (protocol === 'kitty') return `${esc}[>5u`;
  return protocol === 'modify_other_keys' ? `${esc}[>4;2m` : '';
}

export function cursorShape({kind}: TerminalEnvironment, shape: CursorShape): string {
  if (kind !== 'xterm') return '';
  return shape === 'bar' ? `${esc}[6 q` : usualCursor;
}
