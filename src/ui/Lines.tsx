import {Box, Text, Transform} from 'ink';
import {memo, type ReactNode, useCallback, useMemo, useRef} from 'react';
import {ansiLine, type StyleSheet} from '#content/styled-text/ansi.ts';
import {isolatedLine, reorderedLine, unorderedLine, wordOrderedLine} from '#content/styled-text/bidi.ts';
import {emojiCells, type ImageRow} from '#content/styled-text/line.ts';
import type {Bidi} from '#content/styled-text/right-to-left.ts';
import {memoByObject} from '#std/memo.ts';
import {dimmed} from '#theme/palette.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions, Frame, ImageDisplay, PaneLine} from '#ui/core/frame.ts';
import {useScreen, useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {imageCells} from '#ui/ink/cell-style.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {fittedLine} from '#ui/layout/ui-line.ts';

/** What each part of the screen is given: where it is. */
export interface PartProps {
  readonly rect: Rect;
}

export interface LayeredPartProps extends PartProps {
  /** Whether it covers what is painted before it, also where its lines are blank. */
  readonly isFloating?: boolean;
}

interface LinesProps extends LayeredPartProps {
  /** Whether it is not dimmed behind an overlay, because it is about the overlay. */
  readonly staysBright?: boolean;
  /** Never more than there are rows, none wider than the columns. */
  readonly lines: readonly PaneLine[];
}

interface LinesPartProps<T> extends Omit<LinesProps, 'lines'> {
  readonly select: (snapshot: Frame, rect: Rect) => T;
  readonly linesOf: (shown: T, rect: Rect, display: DisplayOptions) => readonly PaneLine[];
}

/** A part that shows what `select` returns, as lines. */
export function LinesPart<T>({select, linesOf, ...place}: LinesPartProps<T>) {
  const {rect} = place;
  // The same function for the same rectangle: a changed value is not selected again while it is rendered.
  const shown = useSelectEqual(useCallback((snapshot: Frame) => select(snapshot, rect), [select, rect]));
  const display = useSelect((snapshot) => snapshot.display);
  return <Lines {...place} lines={linesOf(shown, rect, display)} />;
}

interface FloatingPartProps<T> {
  readonly select: (snapshot: Frame) => T | undefined;
  readonly boxOf: (shown: T, display: DisplayOptions) => Pick<LinesProps, 'rect' | 'lines'> | undefined;
}

/** A part that lies over others in a rectangle of its own; it is not shown while `select` or `boxOf` returns undefined. */
export function FloatingPart<T>({select, boxOf}: FloatingPartProps<T>) {
  const shown = useSelectEqual(select);
  const display = useSelect((snapshot) => snapshot.display);
  const box = shown === undefined ? undefined : boxOf(shown, display);
  return box === undefined ? null : <Lines {...box} isFloating />;
}

/** Places lines in their rectangle, in the colours of the theme. Renders again only when a line has changed. */
export const Lines = memo(function Lines({rect, lines, isFloating = false, staysBright}: LinesProps) {
  const display = useSelect((snapshot) => snapshot.display);
  const isBehind = useScreen(({overlays}) => overlays.length > 0) && !isFloating && staysBright !== true;
  const showsImages = display.images !== undefined && lines.some(hasImages);
  useScreen(({imageChanges}) => (showsImages ? imageChanges : 0));
  const lastPainted = useRef<readonly string[]>(undefined);
  const painted = paintLines(lines, display, isBehind, lastPainted.current);
  lastPainted.current = painted;
  const {x: left, y: top, columns: width, rows: height} = rect;
  const pane = <LinesPane width={width} height={height} lines={painted} />;
  return isFloating ? (
    <FloatingBox left={left} top={top} width={width} height={height}>
      {pane}
    </FloatingBox>
  ) : (
    <Box position="absolute" left={left} top={top} width={width} height={height}>
      {pane}
    </Box>
  );
});

interface LinesPaneProps {
  readonly width: number;
  readonly height: number;
  /** The lines from the top; rows without a line paint nothing. No line may be wider than the pane: nothing clips it. */
  readonly lines: readonly string[];
}

/**
 * A rectangle of lines that already have their styles. Ink never wraps, measures or styles them: it lays out a placeholder
 * of line breaks, which stays the same while the pane has this height, and a transform replaces each row of it on output.
 */
export const LinesPane = memo(function LinesPane({width, height, lines}: LinesPaneProps) {
  if (width < 1 || height < 1) return null;
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Transform transform={(_, row) => lines[row] ?? ''}>
        <Text>{placeholder(height)}</Text>
      </Transform>
    </Box>
  );
});

/** Returns a text with as many rows as the pane and a width of one column. */
function placeholder(height: number): string {
  return ` ${'\n'.repeat(height - 1)}`;
}

interface FloatingBoxProps {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/**
 * A box that covers everything beneath it. Ink's Box covers only the cells for which it paints a background, and Parley
 * leaves the background to the terminal, so this one paints blank lines before its children. It must come after all that it
 * covers, in a parent whose top left corner is that of the screen.
 */
export function FloatingBox({left, top, width, height, children}: FloatingBoxProps) {
  const blankLines = useMemo(() => Array.from({length: height}, () => ' '.repeat(width)), [width, height]);
  return (
    <Box position="absolute" left={left} top={top} width={width} height={height} flexShrink={0}>
      <Box position="absolute" left={0} top={0}>
        <LinesPane width={width} height={height} lines={blankLines} />
      </Box>
      <Box position="absolute" left={0} top={0}>
        {children}
      </Box>
    </Box>
  );
}

/** How the characters of a line are ordered for the terminal. Lines without right-to-left scripts stay as they are. */
const ordered: Readonly<Record<Bidi, (line: PaneLine) => PaneLine>> = {
  reorder: reorderedLine,
  words: wordOrderedLine,
  terminal: isolatedLine,
  off: unorderedLine,
};

class Texts extends WeakMap<PaneLine, string> {}

/**
 * The text of each painted line by style sheet, with and without hyperlinks, by order: a line is painted once, however often it is
 * shown.
 */
const paintedLines = memoByObject((_styles: StyleSheet<UiRole>) => {
  const texts = () => ({reorder: new Texts(), words: new Texts(), terminal: new Texts(), off: new Texts()});
  return {plain: texts(), linked: texts()};
});

const unstyled = {open: '', close: ''};

/** Returns the styles of what lies behind an overlay: all of it is faint. */
const stylesBehind = memoByObject((styles: StyleSheet<UiRole>): StyleSheet<UiRole> => {
  const roles = {...styles.roles};
  for (const role of Object.keys(roles) as UiRole[]) roles[role] = dimmed;
  const attributes = {bold: unstyled, italic: unstyled, strike: unstyled};
  return {...styles, ...attributes, roles, customColor: () => undefined, tint: () => undefined};
});

/**
 * Returns the line as text with ANSI styles and, where the terminal shows them, hyperlinks. For a screen reader it has no
 * styles: a text that only changes its style would be written again, and so spoken again.
 */
export function paintLine(line: PaneLine, display: DisplayOptions, isBehindOverlay = false): string {
  const {theme, depth, glyphs, hasHyperlinks, bidi, images} = display;
  const bright = theme.styleSheet(glyphs === 'words' ? 'never' : depth);
  const styles = isBehindOverlay && glyphs !== 'words' ? stylesBehind(bright) : bright;
  const texts = paintedLines(styles)[hasHyperlinks ? 'linked' : 'plain'][bidi];
  const known = texts.get(line);
  if (known !== undefined) return known;
  if (images !== undefined && hasImages(line)) return withImages(line, display, images, styles);
  const text = ansiLine(ordered[bidi](line), styles, hasHyperlinks ? line.hyperlinks : undefined);
  texts.set(line, text);
  return text;
}

function hasImages({spans}: PaneLine): boolean {
  return spans.some(({image}) => image !== undefined);
}

/** The last text of each line with images, and what it was made from, by style sheet. An image may arrive, fail or be encoded again. */
const imageLines = memoByObject((_styles: StyleSheet<UiRole>) => new WeakMap<PaneLine, readonly [string, string]>());

function withImages(
  line: PaneLine,
  {bidi, hasHyperlinks}: DisplayOptions,
  images: ImageDisplay,
  styles: StyleSheet<UiRole>,
): string {
  const texts = imageLines(styles);
  const rowText = (image: ImageRow) => imageRowText(image, images, styles);
  const source = [
    bidi,
    hasHyperlinks,
    ...line.spans.map(({image}) => (image === undefined ? '' : rowText(image))),
  ].join();
  const last = texts.get(line);
  if (last?.[0] === source) return last[1];
  const text = ansiLine(ordered[bidi](line), styles, hasHyperlinks ? line.hyperlinks : undefined, (image, cells) =>
    // The cells of an emoji may have been cut off where they did not fit.
    image.isEmoji === true ? cells.replace(emojiCells, rowText(image)) : rowText(image),
  );
  texts.set(line, [source, text]);
  return text;
}

/** Returns the painted lines; `previous` itself when all are the same, so that the pane does not render again. */
function paintLines(
  lines: readonly PaneLine[],
  display: DisplayOptions,
  isBehindOverlay: boolean,
  previous: readonly string[] | undefined,
): readonly string[] {
  const next = lines.map((line) => paintLine(line, display, isBehindOverlay));
  if (previous?.length === next.length && next.every((line, index) => line === previous[index])) return previous;
  return next;
}

const ruleLine = {
  unicode: {spans: [{text: '│', role: 'separator'}], width: 1},
  ascii: {spans: [{text: '|', role: 'separator'}], width: 1},
  words: {spans: [{text: ' ', role: 'separator'}], width: 1},
} as const;

/** The vertical line between two parts. */
export function Rule({rect}: PartProps) {
  const glyphs = useSelect(({display}) => display.glyphs);
  return <Lines rect={rect} lines={Array.from({length: rect.rows}, () => ruleLine[glyphs])} />;
}

/** Returns the text of a row of an image: blank while it loads, and the reason in the first row when it could not be loaded. */
function imageRowText(row: ImageRow, images: ImageDisplay, styles: StyleSheet<UiRole>): string {
  const state = images.get(row);
  if (state.kind === 'ready') return imageCells(state.image, row.row);
  const text = state.kind === 'failed' && row.row === 0 && row.isEmoji !== true ? state.reason : '';
  const line = fittedLine([{text, role: 'note'}], row.room);
  return ansiLine(line, styles) + ' '.repeat(Math.max(0, row.columns - line.width));
}
