import {bannerLines} from '#ui/banner/banner-lines.ts';
import {completionMenuLines, completionMenuRect} from '#ui/completion-menu/completion-menu-lines.ts';
import {composerLines} from '#ui/composer/composer-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {View} from '#ui/core/view.ts';
import {headerLines} from '#ui/header/header-lines.ts';
import {inboxLines} from '#ui/inbox/inbox-lines.ts';
import type {Layout, Rect} from '#ui/layout/layout.ts';
import {tooSmallLines} from '#ui/layout/too-small-screen.ts';
import {listPane} from '#ui/lists/list-lines.ts';
import {messagePaneLines} from '#ui/message-pane/message-pane-lines.ts';
import {overlayLines, overlayRect} from '#ui/overlays/overlay-lines.ts';
import {prefixLines, prefixRect} from '#ui/status-line/prefix-panel.ts';
import {statusLines} from '#ui/status-line/status-lines.ts';
import {toastPanelLines, toastPanelRect} from '#ui/status-line/toast-panel.ts';
import {triageLines} from '#ui/triage/triage-lines.ts';

/** Returns the lines of a pane. Pure; never more lines than rows, none wider than the columns. */
export type PaneLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

/** The content of one rectangle of the screen. */
export interface PaneContent {
  readonly lines: PaneLines;
  /** The name that a screen reader reads instead of the lines. */
  readonly label: string;
}

const channels: PaneContent = {lines: listPane('channels'), label: 'Channels'};
const topics: PaneContent = {lines: listPane('topics'), label: 'Topics'};
const people: PaneContent = {lines: listPane('people'), label: 'People'};
const status: PaneContent = {lines: statusLines, label: 'Status'};

/** The contents of the main pane, by the kind of the view. */
export const viewPanes: Readonly<Record<View['kind'], PaneContent>> = {
  inbox: {lines: inboxLines, label: 'Inbox'},
  triage: {lines: triageLines, label: 'Triage'},
  recent: {lines: listPane('recent'), label: 'Recent conversations'},
  directs: {lines: listPane('directs'), label: 'Direct messages'},
  topics,
  channels: {lines: listPane('browser'), label: 'All channels'},
  people,
  drafts: {lines: listPane('drafts'), label: 'Drafts'},
  messages: {lines: messagePaneLines, label: 'Messages'},
};

/** The contents of all other panes, by the name of their rectangle in the layout. */
export const layoutPanes = {
  header: {lines: headerLines, label: 'Header'},
  banner: {lines: bannerLines, label: 'Banner'},
  composer: {lines: composerLines, label: 'Composer'},
  channels,
  topics,
  people,
  status,
  toast: status,
} as const satisfies Partial<Record<keyof Layout, PaneContent>>;

/** A pane that covers other panes while it has a rectangle. */
export interface FloatingPaneContent extends PaneContent {
  readonly rect: (frame: Frame) => Rect | undefined;
}

/** The panes that cover others, from back to front. */
export const floatingPanes: readonly FloatingPaneContent[] = [
  {rect: completionMenuRect, lines: completionMenuLines, label: 'Completions'},
  {rect: overlayRect, lines: overlayLines, label: 'Menu'},
  {rect: prefixRect, lines: prefixLines, label: 'Keys'},
];

/** A toast that needs more than one row: in front of everything. */
export const longToastPane: FloatingPaneContent = {rect: toastPanelRect, lines: toastPanelLines, label: 'Status'};

const ruleLine = {
  unicode: {spans: [{text: '│', role: 'separator'}], width: 1},
  ascii: {spans: [{text: '|', role: 'separator'}], width: 1},
} as const satisfies Record<string, PaneLine>;

/** The vertical line between two panes. */
export const rulePane: PaneContent = {
  lines: ({display}, {rows}) => Array.from({length: rows}, () => ruleLine[display.glyphs]),
  label: '',
};

/** The instruction of the tour, below all other panes. */
export const tourPane: PaneContent = {lines: ({screen}) => screen.tour?.lines ?? [], label: 'Tour'};

export const tooSmallPane: PaneContent = {lines: tooSmallLines, label: 'Too small'};

/** A pane and where it is. */
export interface PlacedPaneContent {
  readonly rect: Rect;
  readonly content: PaneContent;
  /** The pane covers what is painted before it, also where its lines are blank. */
  readonly isFloating: boolean;
}

/** Returns the panes of a layout, in the order in which they are painted: later ones may cover earlier ones. */
export function placedPanes(layout: Layout, viewKind: View['kind']): readonly PlacedPaneContent[] {
  const {isDrawer} = layout;
  const panes: readonly (readonly [Rect | undefined, PaneContent, boolean])[] = [
    [layout.header, layoutPanes.header, false],
    [layout.banner, layoutPanes.banner, false],
    [layout.main, viewPanes[viewKind], false],
    [layout.composer, layoutPanes.composer, false],
    [layout.people, layoutPanes.people, false],
    ...layout.rules.map((rect) => [rect, rulePane, false] as const),
    [layout.channels, layoutPanes.channels, isDrawer],
    [layout.topics, layoutPanes.topics, isDrawer],
    [layout.status, layoutPanes.status, false],
  ];
  return panes.flatMap(([rect, content, isFloating]) => (rect === undefined ? [] : [{rect, content, isFloating}]));
}
