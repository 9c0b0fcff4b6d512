import {lineToText} from '#content/styled-text/ansi.ts';
import {type FetchStates, noFetches} from '#state/fetches/fetch-state.ts';
import type {AccountState} from '#state/state.ts';
import {themes} from '#theme/themes.ts';
import type {AppInfo, DisplayOptions, Frame, PaneLine, View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {newScreen} from '#ui/new-screen.ts';
import * as eg from './state-builders.ts';

export const egDisplay: DisplayOptions = {
  theme: themes.default,
  depth: '16',
  hasHyperlinks: false,
  bidi: 'off',
  glyphs: 'unicode',
  emoji: {},
  linkPreviews: true,
  zone: 'UTC',
};

export const egAppInfo: AppInfo = {
  accountName: 'acme',
  accountCount: 1,
  isExploring: false,
  isReadOnly: false,
};

export interface FrameParts {
  readonly account?: AccountState;
  readonly fetches?: FetchStates;
  /** `80x24` */
  readonly size?: string;
  readonly view?: View;
  readonly screen?: Partial<ScreenState>;
  readonly display?: Partial<DisplayOptions>;
  readonly info?: Partial<AppInfo>;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/** Creates a frame with defaults for everything that the test does not specify. */
export function egFrame({
  account = eg.state({connection: {phase: 'online'}}),
  fetches = noFetches,
  size = '80x24',
  view = {kind: 'inbox'},
  screen = {},
  display: looks = {},
  info = {},
  now = Date.UTC(2026, 0, 1, 12),
}: FrameParts = {}): Frame {
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  return {
    account,
    fetches,
    screen: {...newScreen({columns, rows}, view), ...screen},
    display: {...egDisplay, ...looks},
    info: {...egAppInfo, ...info},
    minute: now - (now % 60_000),
    canUndo: true,
    canRedo: false,
  };
}

export function egRect(size: string): Rect {
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  return {x: 0, y: 0, columns, rows};
}

/** Returns the lines as text, without trailing spaces. */
export function textOf(lines: readonly PaneLine[]): readonly string[] {
  return lines.map((line) => lineToText(line).trimEnd());
}
