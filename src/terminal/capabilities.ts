import {
  type ClusterKind,
  type ClusterWidths,
  clusterKinds,
  withClusterWidth,
} from '#content/styled-text/cluster-widths.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {CellBox, PixelSize} from '#terminal/images/fit-image.ts';
import type {InputEvent, RgbColor, TerminalReply} from '#terminal/input/input-events.ts';
import type {TerminalEnvironment} from './environment.ts';
import type {KeyboardProtocol} from './modes.ts';
import {featuresOf, type NotificationKind, programFromName, type TerminalProgram} from './terminal-program.ts';

type Background = 'dark' | 'light';

/** The capabilities of the terminal that are known so far. Usable from the start; replies make them more precise. */
export interface Capabilities {
  readonly program: TerminalProgram | undefined;
  /** The name and version that the terminal reports. */
  readonly terminalName: string | undefined;
  readonly kittyKeyboard: boolean;
  readonly modifyOtherKeys: boolean;
  readonly background: Background | undefined;
  /** Whether the terminal reports its background: such terminals also let programs change it. */
  readonly reportsBackground: boolean;
  /** Whether frames are shown atomically; undefined before the terminal has replied. */
  readonly synchronizedOutput: boolean | undefined;
  readonly hyperlinks: boolean;
  readonly notifications: NotificationKind;
  /**
   * Whether the terminal orders right-to-left text itself, and whether that can be switched off; `words`: the letters of each word
   * only. kitty does that unless its setting `force_ltr` is on, which no query tells (`kitty-query-force_ltr` is refused).
   */
  readonly bidi: 'none' | 'own' | 'switchable' | 'words';
  readonly isUtf8: boolean;
  /** How many columns the cursor moves for characters that terminals count differently. */
  readonly clusterWidths: ClusterWidths;
  /** Those of the replies so far. They count together, because each change is a new layout. */
  readonly measuredWidths: ClusterWidths;
  readonly sixel: boolean;
  /** Whether the graphics protocol of kitty was answered. */
  readonly kittyGraphics: boolean;
  /** Whether the inline images of iTerm2 are known, by a query that belongs to them. */
  readonly itermImages: boolean;
  /** The size in pixels of a cell, and of the text area, from which `cellSizeOf` computes it. */
  readonly cellSize: PixelSize | undefined;
  readonly areaSize: PixelSize | undefined;
  /** The terminal around tmux, and whether tmux passes images on to it. */
  readonly outer: TerminalProgram | undefined;
  readonly tmuxPassthrough: boolean;
  /** Whether OSC 52 sets the clipboard; undefined when unknown. */
  readonly osc52: boolean | undefined;
  /** Whether the terminal reports focus changes; known from the first one on. */
  readonly focusEvents: boolean;
  readonly trueColor: boolean;
  /** Whether there are at least 256 colours, as far as the terminal says so. */
  readonly indexedColor: boolean;
  readonly progress: boolean;
  /** Whether the terminal puts brackets around pastes; undefined when unknown. */
  readonly bracketedPaste: boolean | undefined;
  /** Whether the startup queries have been answered. */
  readonly isSettled: boolean;
}

/** Returns the capabilities before any reply. */
export function initialCapabilities(environment: TerminalEnvironment): Capabilities {
  const {program, background, charset, kind} = environment;
  const initial: Capabilities = {
    program: undefined,
    terminalName: undefined,
    kittyKeyboard: false,
    modifyOtherKeys: false,
    background,
    reportsBackground: false,
    synchronizedOutput: kind === 'xterm' ? undefined : false,
    hyperlinks: false,
    notifications: 'bell',
    bidi: 'none',
    isUtf8: charset === undefined ? kind !== 'serial' : charset === 'utf-8',
    clusterWidths: {},
    measuredWidths: {},
    sixel: false,
    kittyGraphics: false,
    itermImages: false,
    cellSize: undefined,
    areaSize: undefined,
    outer: undefined,
    tmuxPassthrough: false,
    osc52: kind === 'xterm' ? undefined : false,
    focusEvents: false,
    trueColor: false,
    indexedColor: false,
    progress: false,
    bracketedPaste: undefined,
    isSettled: false,
  };
  return withProgram(initial, program, environment);
}

/** Adds the features of the program. */
function withProgram(
  before: Capabilities,
  program: TerminalProgram | undefined,
  {kind}: TerminalEnvironment,
): Capabilities {
  if (kind !== 'xterm') return {...before, program};
  const {trueColor, hyperlinks, clipboard, notifications, progress, bidi} = featuresOf(program);
  return {
    ...before,
    program,
    trueColor,
    hyperlinks,
    notifications: before.notifications === 'kitty' ? 'kitty' : notifications,
    bidi: before.bidi === 'switchable' ? 'switchable' : bidi,
    osc52: before.osc52 || clipboard,
    progress,
  };
}

/**
 * Sets what the terminal around tmux decides: notifications and images are passed through to it, and it orders
 * right-to-left text.
 */
export function withOuterProgram(
  capabilities: Capabilities,
  outer: TerminalProgram,
  tmuxPassthrough = false,
): Capabilities {
  const {notifications, bidi} = featuresOf(outer);
  return changed(capabilities, {notifications, bidi, outer, tmuxPassthrough});
}

/** Returns the capabilities after an event; the same object when it says nothing new about the terminal. */
export function capabilitiesAfter(
  capabilities: Capabilities,
  event: InputEvent,
  environment: TerminalEnvironment,
): Capabilities {
  if (event.kind === 'focus') {
    return changed(capabilities, {focusEvents: true});
  }
  if (event.kind === 'paste') return changed(capabilities, {bracketedPaste: true});
  return event.kind === 'reply' ? afterReply(capabilities, event.reply, environment) : capabilities;
}

function afterReply(before: Capabilities, reply: TerminalReply, environment: TerminalEnvironment): Capabilities {
  switch (reply.type) {
    case 'kitty_flags':
      return changed(before, {kittyKeyboard: true});
    case 'modify_other_keys':
      return changed(before, {modifyOtherKeys: true});
    case 'color':
      return reply.slot === 11 ? afterBackground(before, reply.color) : before;
    case 'color_scheme':
      return changed(before, {background: reply.scheme});
    case 'mode':
      return afterMode(before, reply.mode, reply.state);
    case 'ansi_mode':
      return reply.mode === bidiSupportMode ? changed(before, {bidi: bidiByState[reply.state] ?? before.bidi}) : before;
    case 'version':
      return afterVersion(before, reply.text, environment);
    case 'color_count':
      return changed(before, {indexedColor: reply.count >= 256});
    case 'graphics':
      return changed(before, {kittyGraphics: before.kittyGraphics || /;OK$/.test(reply.text)});
    case 'size':
      return afterSize(before, reply);
    case 'notifications':
      return changed(before, {notifications: 'kitty'});
    case 'cursor':
      return afterCursor(before, reply.row, reply.column);
    case 'attributes':
      return afterAttributes(before, reply.codes, environment);
    default:
      return before;
  }
}

/** BDSM: set, the terminal orders text. */
const bidiSupportMode = 8;
const bidiByState: Readonly<Record<number, Capabilities['bidi']>> = {
  1: 'switchable',
  2: 'switchable',
  3: 'own',
  4: 'none',
};

function afterSize(before: Capabilities, {of, width, height}: Extract<TerminalReply, {type: 'size'}>): Capabilities {
  const size = {width, height};
  if (of === 'area') return changed(before, {areaSize: size});
  const cellSize = isCellSize(size) ? size : before.cellSize;
  if (of === 'iterm_cell') return changed(before, {itermImages: true, cellSize: before.cellSize ?? cellSize});
  return of === 'cell' ? changed(before, {cellSize}) : before;
}

/** Terminals that do not know the size report 0. */
function isCellSize({width, height}: PixelSize): boolean {
  return width >= 2 && width <= 200 && height >= 2 && height <= 400;
}

/** The most that xterm reports for the side of an image, however large it is. */
const largestSide = 1000;

/** Returns the size of a cell: as the terminal reports it, or computed from that of its area; undefined if neither is known. */
export function cellSizeOf(
  {cellSize, areaSize}: Pick<Capabilities, 'cellSize' | 'areaSize'>,
  {columns, rows}: CellBox,
): PixelSize | undefined {
  if (cellSize !== undefined || areaSize === undefined) return cellSize;
  const height = Math.floor(areaSize.height / rows);
  const isWhole = areaSize.width !== largestSide;
  const computed = {width: Math.floor(isWhole ? areaSize.width / columns : height / 2), height};
  return isCellSize(computed) ? computed : undefined;
}

function afterMode(before: Capabilities, mode: number, state: number): Capabilities {
  if (mode === 2026) return changed(before, {synchronizedOutput: state === 1 || state === 2});
  return mode === 2004 ? changed(before, {bracketedPaste: state >= 1 && state <= 3}) : before;
}

function changed(before: Capabilities, changes: Partial<Capabilities>): Capabilities {
  const after = {...before, ...changes};
  return deepEqual(before, after) ? before : after;
}

function afterVersion(before: Capabilities, text: string, environment: TerminalEnvironment): Capabilities {
  if (before.terminalName === text) return before;
  return withProgram({...before, terminalName: text}, programFromName(text) ?? before.program, environment);
}

/**
 * The row where the UTF-8 query leaves the cursor. It differs from that in a modified F3, which looks like a
 * cursor report.
 */
export const utf8Row = 2;

/** The kinds of characters that are measured, each in a row of its own below. */
export const clusterRows = (Object.keys(clusterKinds) as ClusterKind[]).map((kind, at) => ({
  row: utf8Row + 1 + at,
  kind,
}));

function afterCursor(before: Capabilities, row: number, column: number): Capabilities {
  const measured = clusterRows.find((cluster) => cluster.row === row)?.kind;
  if (measured !== undefined) {
    return changed(before, {measuredWidths: withClusterWidth(before.measuredWidths, measured, column - 1)});
  }
  if (row !== utf8Row || (column !== 2 && column !== 3)) return before;
  return changed(before, {isUtf8: column === 2});
}

/**
 * The last reply. Only mosh has these attributes and reports no name; no variable tells of it. Every terminal that replies like
 * xterm has bracketed paste, although many do not report modes; GNU screen before version 5 does not have it.
 */
function afterAttributes(before: Capabilities, codes: readonly number[], environment: TerminalEnvironment) {
  const [terminalClass, ...abilities] = codes;
  const isMosh = before.terminalName === undefined && terminalClass === 62 && abilities.length === 0;
  const known = isMosh ? withProgram(before, {name: 'mosh', version: ''}, environment) : before;
  return changed(before, {
    ...known,
    clusterWidths: before.measuredWidths,
    sixel: abilities.includes(4),
    osc52: abilities.includes(52) ? true : before.osc52,
    bracketedPaste: before.bracketedPaste ?? known.program?.name !== 'screen',
    isSettled: true,
  });
}

/** Sets the background. tmux reports white when it does not know the terminal's colour, so white is ignored there. */
function afterBackground(before: Capabilities, color: RgbColor): Capabilities {
  const {red, green, blue} = color;
  const isUnknown = before.program?.name === 'tmux' && red === 255 && green === 255 && blue === 255;
  const background = isUnknown ? before.background : luminance(color) > 0.5 ? 'light' : 'dark';
  return changed(before, {background, reportsBackground: true});
}

function luminance({red, green, blue}: RgbColor): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/**
 * Returns the keyboard protocol to enable. tmux does not answer the query but accepts modifyOtherKeys, if configured.
 */
export function keyboardProtocol({kittyKeyboard, modifyOtherKeys, program}: Capabilities): KeyboardProtocol {
  if (kittyKeyboard) return 'kitty';
  return modifyOtherKeys || program?.name === 'tmux' ? 'modify_other_keys' : 'legacy';
}
