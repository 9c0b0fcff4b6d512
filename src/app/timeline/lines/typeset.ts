import type {DisplayOptions, Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {messageContext} from '#app/format/message-context.ts';
import type {CachedMessageLines, MessageBody} from '#app/timeline/message-row.ts';
import {asciiGlyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import {dayNumber, type TimeOptions} from '#content/time-text.ts';
import type {Message} from '#state/model/message.ts';
import {LruCache} from '#std/lru-cache.ts';

/** How messages are set: names in a column of their own, on a line of their own, or with next to no margin. */
export type MessageForm = 'gutter' | 'stacked' | 'narrow';

export interface MessageMeasures {
  readonly columns: number;
  readonly form: MessageForm;
  /** Columns before the text. */
  readonly indent: number;
  readonly textWidth: number;
  readonly nameWidth: number;
  readonly timeWidth: number;
  /** Longer messages are cut. */
  readonly maxLines: number;
}

/** Signs that are drawn here; others in ASCII. */
export interface MessageGlyphs {
  readonly bar: string;
  readonly dot: string;
  readonly star: string;
  readonly rule: string;
  readonly ellipsis: string;
  readonly into: string;
  readonly check: string;
  readonly dash: string;
  readonly between: string;
  readonly down: string;
}

const unicodeSigns: MessageGlyphs = {
  bar: '▌',
  dot: '•',
  star: '✦',
  rule: '─',
  ellipsis: '…',
  into: '›',
  check: '✓',
  dash: '—',
  between: '·',
  down: '↓',
};

const asciiSigns: MessageGlyphs = {
  bar: '|',
  dot: '*',
  star: '(starred)',
  rule: '-',
  ellipsis: '...',
  into: '>',
  check: '(resolved)',
  dash: '-',
  between: '|',
  down: 'v',
};

export function messageGlyphs({glyphs}: DisplayOptions): MessageGlyphs {
  return glyphs === 'ascii' ? asciiSigns : unicodeSigns;
}

/**
 * Everything that the lines of messages depend on besides the messages, and the lines made with it. Another one for
 * another width, another name, another day; the same one from frame to frame.
 */
export interface Typeset {
  readonly measures: MessageMeasures;
  readonly glyphs: MessageGlyphs;
  readonly context: RenderContext;
  readonly options: RenderOptions;
  readonly time: TimeOptions;
  /** Of the messages seen last: a day's worth of them laid out would be a hundred megabytes. */
  readonly bodies: LruCache<Message, MessageBody>;
  readonly rows: LruCache<Message, CachedMessageLines>;
  /** Separators and headings by what they say. */
  readonly rules: Map<string, PaneLine>;
  /** Days by quarters of an hour, at which all zones change them: asking the calendar takes long. */
  readonly days: Map<number, number>;
}

const quarterSeconds = 900;
/** Many screens full. */
const mostLaidOut = 1000;

/** The day, in the reader's zone, of a time in seconds. */
export function dayOf({days, time}: Typeset, seconds: number): number {
  const quarter = Math.floor(seconds / quarterSeconds);
  let day = days.get(quarter);
  if (day === undefined) {
    day = dayNumber(quarter * quarterSeconds * 1000, time);
    days.set(quarter, day);
  }
  return day;
}

const widestText = 100;
const gutterFrom = {screen: 100, pane: 84};
const narrowBelow = 60;
const gutterMargin = 2;
/** Names have at least and at most so many columns; more than the least where the text keeps a good measure. */
const [leastName, mostName] = [14, 22];
const goodText = 74;
const [leastLines, mostLines] = [6, 25];

export function measuresOf(
  screen: {readonly columns: number; readonly rows: number},
  columns: number,
  isHour12: boolean,
): MessageMeasures {
  const timeWidth = isHour12 ? 8 : 5;
  const maxLines = Math.min(mostLines, Math.max(leastLines, Math.floor(screen.rows * 0.6)));
  const around = gutterMargin + 1 + timeWidth + 2;
  const spare = columns - around - 1 - goodText;
  const nameWidth = Math.max(leastName, Math.min(mostName, spare));
  const common = {columns, nameWidth, timeWidth, maxLines};
  if (screen.columns >= gutterFrom.screen && columns >= gutterFrom.pane) {
    const indent = around + nameWidth;
    return {...common, form: 'gutter', indent, textWidth: Math.min(widestText, columns - indent - 1)};
  }
  const isNarrow = columns < narrowBelow;
  const indent = isNarrow ? 1 : 2;
  const textWidth = Math.max(1, Math.min(widestText, columns - (isNarrow ? indent : 2 * indent)));
  return {...common, form: isNarrow ? 'narrow' : 'stacked', indent, textWidth};
}

/** The panes that show messages at the same time: the main one and a preview. */
const mostKept = 4;

export const typesetOf = memoByFrame(
  (frame, columns: number) => {
    const {account, display: looks, screen, minute} = frame;
    const time = timeOf(frame);
    return [
      messageContext(account),
      account.alertWords,
      looks.glyphs,
      looks.emoji,
      looks.zone,
      time.hour12,
      dayNumber(minute, time),
      screen.size.columns,
      screen.size.rows,
      columns,
    ];
  },
  newTypeset,
  mostKept,
);

function timeOf({account, display: looks, minute}: Frame): TimeOptions {
  return {zone: looks.zone, hour12: account.settings.twentyFourHourTime === false, now: minute};
}

function newTypeset(frame: Frame, columns: number): Typeset {
  const {account, display: looks, screen} = frame;
  const time = timeOf(frame);
  const measures = measuresOf(screen.size, columns, time.hour12 === true);
  return {
    measures,
    glyphs: messageGlyphs(looks),
    context: messageContext(account),
    options: {
      width: measures.textWidth,
      glyphs: looks.glyphs === 'ascii' ? asciiGlyphs : unicodeGlyphs,
      emoji: looks.emoji,
      footLinks: true,
      alertWords: account.alertWords,
      zone: looks.zone,
      hour12: time.hour12 === true,
      now: time.now,
    },
    time,
    bodies: new LruCache(mostLaidOut),
    rows: new LruCache(mostLaidOut),
    rules: new Map(),
    days: new Map(),
  };
}
