import {esc, privateMode} from './control-sequences.ts';
import type {TerminalEnvironment} from './environment.ts';

/** What of the terminal Parley changes beyond painting; every way out puts it back. */
export interface ModeOptions {
  readonly alternateScreen: boolean;
  readonly mouse: boolean;
}

export type KeyboardProtocol = 'kitty' | 'modify_other_keys' | 'legacy';

/** Terminals in which a bar shows where text goes, and a block is what the reader is used to. */
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

/** Takes the screen. The keyboard's protocol follows when the terminal has told which it knows. */
export function enterModes({kind}: TerminalEnvironment, {alternateScreen, mouse}: ModeOptions): string {
  if (kind === 'none' || kind === 'dumb') return '';
  // Neither has a second screen (new consoles do): it is cleared instead.
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
 * Gives everything back, whether it was taken or not, so that it can be sent from anywhere at any time. The keyboard's
 * stack belongs to the screen that is left, so it goes first.
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
  privateMode(modes.buttons, true) +
  privateMode(modes.drags, true) +
  privateMode(modes.decimalPositions, true);
const mouseOff =
  privateMode(modes.buttons, false) +
  privateMode(modes.drags, false) +
  privateMode(modes.decimalPositions, false);

/** Without the mouse the wheel comes as arrows, so that it still scrolls. */
export function mouseMode({kind}: TerminalEnvironment, isOn: boolean): string {
  if (kind !== 'xterm') return '';
  return isOn
    ? privateMode(modes.wheelAsArrows, false) + mouseOn
    : mouseOff + privateMode(modes.wheelAsArrows, true);
}

/** Keys told apart that are one byte otherwise; kitty's with the alternates that name the key on another layout. */
export function keyboardMode(protocol: KeyboardProtocol): string {
  if (protocol === 'kitty') return `${esc}[>5u`;
  return protocol === 'modify_other_keys' ? `${esc}[>4;2m` : '';
}

export function cursorShape({kind}: TerminalEnvironment, shape: CursorShape): string {
  if (kind !== 'xterm') return '';
  return shape === 'bar' ? `${esc}[6 q` : `${esc}[0 q`;
}
