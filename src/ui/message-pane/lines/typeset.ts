import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import {lineBytes} from '#content/styled-text/line.ts';
import type {Bidi} from '#content/styled-text/right-to-left.ts';
import {dayNumber, type TimeOptions} from '#content/time-text.ts';
import {reactorNames} from '#state/selectors/names/names.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import type {DrawnProtocol} from '#terminal/images/encode-image.ts';
import {fitCells} from '#terminal/images/fit-image.ts';
import {type DisplayOptions, type Frame, memoByFrame, type PaneLine} from '#ui/core/frame.ts';
import type {ImageDisplay} from '#ui/core/images.ts';
import {messageContext, renderOptionsOf} from '#ui/format/message-context.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {glyphSets} from '#ui/format/ui-glyphs.ts';

/** The message layout: names in a column, names on separate lines, a minimal margin, or before the text for a screen reader. */
export type MessageForm = 'gutter' | 'stacked' | 'narrow' | 'spoken';

export interface MessageMeasures {
  readonly columns: number;
  readonly form: MessageForm;
  /** Columns before the text. */
  readonly indent: number;
  readonly textWidth: number;
  readonly nameWidth: number;
  readonly timeWidth: number;
  /** Longer messages are truncated. */
  readonly maxLines: number;
}

/** The glyphs in message lines. */
const glyphsOf = glyphSets({
  bar: ['▌', '|', ' '],
  /** The cursor of the pane without the focus. */
  barOther: ['▐', '=', ' '],
  dot: ['•', '*', ''],
  /** Before a message that continues the sender's group. */
  next: ['·', '.', ''],
  star: ['★', '(starred)', 'starred'],
  rule: ['─', '-', ' '],
  ellipsis: ['…', '...'],
  into: ['›', '>'],
  check: ['✓', '(resolved)', 'resolved'],
  dash: ['—', '-'],
  between: ['·', '|', ','],
  down: ['↓', 'v', ''],
});

export type MessageGlyphs = (typeof glyphsOf)['unicode'];

export function messageGlyphs({glyphs}: DisplayOptions): MessageGlyphs {
  return glyphsOf[glyphs];
}

/**
 * Everything that message lines depend on besides the messages. It changes with the width, the names and the day, and stays
 * the same from frame to frame.
 */
export interface Typeset {
  readonly measures: MessageMeasures;
  readonly glyphs: MessageGlyphs;
  readonly context: RenderContext;
  readonly options: RenderOptions;
  readonly time: TimeOptions;
  /** Returns the names of people who reacted; undefined where the account's settings hide them. */
  readonly reactorNames: ((userIds: readonly number[]) => string) | undefined;
  /** Separators and headings by their text. */
  readonly rules: LruCache<string, PaneLine>;
  /** Day numbers by quarter of an hour, the granularity of time zones: asking the calendar is slow. */
  readonly days: LruCache<number, number>;
}

const quarterSeconds = 900;

/** Returns the day, in the reader's zone, of a time in seconds. */
export function dayOf({days, time}: Typeset, seconds: number): number {
  const quarter = Math.floor(seconds / quarterSeconds);
  return days.getOrCompute(quarter, () => dayNumber(quarter * quarterSeconds * 1000, time));
}

const maxTextWidth = 100;
const gutterFrom = {screen: 100, pane: 84};
const narrowBelow = 50;
const gutterMargin = 2;
/** The width of names; it exceeds the minimum only where the text keeps a comfortable width. */
const [minNameWidth, maxNameWidth] = [14, 22];
const comfortableTextWidth = 74;
const [minLines, maxLinesShown] = [6, 25];

function measuresOf(
  screen: {readonly columns: number; readonly rows: number},
  columns: number,
  isHour12: boolean,
  isSpoken: boolean,
): MessageMeasures {
  const timeWidth = isHour12 ? 8 : 5;
  const maxLines = Math.min(maxLinesShown, Math.max(minLines, Math.floor(screen.rows * 0.6)));
  const around = gutterMargin + 1 + timeWidth + 2;
  const spare = columns - around - 1 - comfortableTextWidth;
  const nameWidth = Math.max(minNameWidth, Math.min(maxNameWidth, spare));
  const common = {columns, nameWidth, timeWidth, maxLines};
  if (isSpoken)
    return {...common, form: 'spoken', indent: 0, textWidth: Math.max(1, Math.min(maxTextWidth, columns - 1))};
  if (screen.columns >= gutterFrom.screen && columns >= gutterFrom.pane) {
    const indent = around + nameWidth;
    return {...common, form: 'gutter', indent, textWidth: Math.min(maxTextWidth, columns - indent - 1)};
  }
  const isNarrow = columns < narrowBelow;
  const indent = isNarrow ? 1 : 2;
  const textWidth = Math.max(1, Math.min(maxTextWidth, columns - (isNarrow ? indent : 2 * indent)));
  return {...common, form: isNarrow ? 'narrow' : 'stacked', indent, textWidth};
}

/** Returns how many cells an image gets: at most half of the screen's rows, so that what is said of it stays visible. */
function imageBoxes(images: ImageDisplay | undefined, screenRows: number): RenderOptions['imageBox'] {
  if (images === undefined) return undefined;
  const {cell, maxRows} = images;
  const rows = Math.max(1, Math.min(maxRows, Math.floor(screenRows / 2)));
  return (image, columns) => fitCells(image, {columns, rows}, cell);
}

const emojiProtocols: ReadonlySet<string> = new Set<DrawnProtocol>(['kitty', 'kitty-placeholders']);

/** Returns which emoji are images. A terminal that orders characters itself may show the cells of an emoji elsewhere. */
function emojiImages(images: ImageDisplay | undefined, bidi: Bidi): RenderOptions['emojiImages'] {
  if (images === undefined || !emojiProtocols.has(images.protocol) || bidi === 'terminal') return undefined;
  const {failedEmoji} = images;
  return (href) => failedEmoji?.has(href) !== true;
}

/** The panes that show messages at the same time: the main one and a preview. */
const maxCached = 4;

export const typesetOf = memoByFrame(
  (frame, columns: number) => {
    const {account, display, screen, minute} = frame;
    const time = timeOptionsOf(frame);
    return [
      messageContext(account),
      account.alertWords,
      account.mutedUsers,
      account.settings.displayEmojiReactionUsers,
      display.glyphs,
      display.emoji,
      display.clusterWidths,
      display.zone,
      display.bidi,
      display.linkPreviews,
      // Not the object itself, which changes with every image that is loaded.
      display.images?.protocol,
      display.images?.failedEmoji,
      display.images?.maxRows,
      display.images?.cell.width,
      display.images?.cell.height,
      time.hour12,
      dayNumber(minute, time),
      screen.size.columns,
      screen.size.rows,
      columns,
    ];
  },
  newTypeset,
  maxCached,
);

function newTypeset(frame: Frame, columns: number): Typeset {
  const {account, display, screen} = frame;
  const images = display.glyphs === 'words' ? undefined : display.images;
  const time = timeOptionsOf(frame);
  const measures = measuresOf(screen.size, columns, time.hour12 === true, display.glyphs === 'words');
  return {
    measures,
    glyphs: messageGlyphs(display),
    context: messageContext(account),
    options: {
      ...renderOptionsOf(frame, measures.textWidth),
      footLinks: true,
      linkPreviews: display.linkPreviews,
      imageBox: imageBoxes(images, screen.size.rows),
      emojiImages: emojiImages(images, display.bidi),
      alertWords: account.alertWords,
    },
    time,
    reactorNames:
      account.settings.displayEmojiReactionUsers === false ? undefined : (userIds) => reactorNames(account, userIds),
    rules: new LruCache<string, PaneLine>(64 * 1024, lineBytes),
    days: new LruCache(64 * 1024, () => objectBytes),
  };
}
