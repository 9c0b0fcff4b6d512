import {esc, privateMode} from './control-sequences.ts';
import type {TerminalEnvironment} from './environment.ts';

/** The terminal modes that Parley changes; they are restored on every exit. */
export interface ModeOptions {
  readonly alternateScreen: boolean;
  readonly mouse: boolean;
}

export type KeyboardProtocol = 'kitty' | 'modify_other_keys' | 'legacy';

/** The cursor: a bar in text fields, and elsewhere the terminal's default. */
export type CursorShape = 'bar' | 'usual';

const modes = {
  paste: 2004,
  focus: 1004,
  buttons: 1000,
  drags: 1002,
  decimalPositions: 1006,
  wheelAsArrows: 1007,
  synchronized: 2026,
  themeChanges: 2031,
  cursor: 25,
  alternate: 1049,
} as const;

const home = `${esc}[H${esc}[2J`;
const plain = `${esc}[0m`;

export const cursorHidden: string = privateMode(modes.cursor, false);

/** Returns the sequences that take over the screen. The keyboard protocol follows when the terminal has replied. */
export function enterModes({kind}: TerminalEnvironment, {alternateScreen, mouse}: ModeOptions): string {
  if (kind === 'none' || kind === 'dumb') return '';
  // Neither kind has an alternate screen (new Linux consoles do), so the screen is cleared instead.
  if (kind === 'serial') return home;
  const screen = alternateScreen ? privateMode(modes.alternate, true) : '';
  if (kind === 'linux') return screen + privateMode(modes.paste, true) + home;
  return [
    `${esc}[22;0t`,
    screen,
    home,
    privateMode(modes.paste, true),
    privateMode(modes.focus, true),
    privateMode(modes.themeChanges, true),
    mouse ? mouseOn : privateMode(modes.wheelAsArrows, true),
  ].join('');
}

/**
 * Returns the sequences that restore all modes, whether they were changed or not, so that they can be sent at
 * any time. The keyboard stack belongs to the alternate screen, so it is restored first.
 */
export function leaveModes({kind}: TerminalEnvironment, {alternateScreen} = {alternateScreen: true}): string {
  if (kind === 'none' || kind === 'dumb') return '';
  const screen = alternateScreen ? privateMode(modes.alternate, false) : '';
  const cursor = privateMode(modes.cursor, true);
  if (kind === 'serial') return plain + cursor + home;
  if (kind === 'linux') {
    return plain + privateMode(modes.paste, false) + (alternateScreen ? home : '') + cursor + screen;
  }
  return [
    `${esc}[<u${esc}[>4m`,
    privateMode(modes.paste, false),
    privateMode(modes.focus, false),
    privateMode(modes.themeChanges, false),
    mouseOff,
    privateMode(modes.wheelAsArrows, false),
    privateMode(modes.synchronized, false),
    `${esc}[0 q`,
    cursor,
    screen,
    `${esc}[23;0t`,
    plain,
  ].join('');
}

const mouseOn =
  privateMode(modes.buttons, true) + privateMode(modes.drags, true) + privateMode(modes.decimalPositions, true);
const mouseOff =
  privateMode(modes.buttons, false) + privateMode(modes.drags, false) + privateMode(modes.decimalPositions, false);

/**
 * Returns the sequence that turns the mouse on or off. When off, the wheel sends arrow keys, so that it still scrolls.
 */
export function mouseMode({kind}: TerminalEnvironment, isOn: boolean): string {
  if (kind !== 'xterm') return '';
  return isOn ? privateMode(modes.wheelAsArrows, false) + mouseOn : mouseOff + privateMode(modes.wheelAsArrows, true);
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
  return shape === 'bar' ? `${esc}[6 q` : `${esc}[0 q`;
}
