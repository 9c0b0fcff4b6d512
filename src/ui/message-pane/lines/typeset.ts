import {renderMessage} from '#content/render/render-message.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import type {Hyperlinks} from '#content/styled-text/ansi.ts';
import {imageRowOf, type Line, lineBytes} from '#content/styled-text/line.ts';
import type {Bidi} from '#content/styled-text/right-to-left.ts';
import {dayNumber, type TimeOptions} from '#content/time-text.ts';
import {matchedWords} from '#content/word-finder.ts';
import type {Message} from '#state/model/message.ts';
import {reactorNames} from '#state/selectors/names/names.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import {memoByObject} from '#std/memo.ts';
import type {DrawnProtocol} from '#terminal/images/encode-image.ts';
import {fitCells} from '#terminal/images/fit-image.ts';
import type {UiRole} from '#theme/roles.ts';
import {
  type DisplayOptions,
  type Frame,
  frameOwner,
  type ImageDisplay,
  memoByFrame,
  type PaneLine,
} from '#ui/core/frame.ts';
import {messageContext, renderOptionsOf} from '#ui/format/message-context.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';
import {glyphSets} from '#wording/ui-glyphs.ts';

/** The message layout: names in a column, names on separate lines, a minimal margin, or before the text for a screen reader. */
type MessageForm = 'gutter' | 'stacked' | 'narrow' | 'spoken';

interface MessageMeasures {
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

type MessageGlyphs = (typeof glyphsOf)['unicode'];

export function messageGlyphs({glyphs}: DisplayOptions): MessageGlyphs {
  return glyphsOf[glyphs];
}

/**
 * Everything that message lines depend on besides the messages. It changes with the width, the names and the day, and stays
 * the same from frame to frame.
 */
export interface Typeset {
  /** What the lines end with, see `frameOwner`. */
  readonly owner: object;
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
      account.self,
      account.users,
      account.realm,
      account.alertWords,
      account.mutedUsers,
      account.settings.displayEmojiReactionUsers,
      display.glyphs,
      display.emoji,
      display.clusterWidths,
      display.zone,
      display.bidi,
      display.linkPreviews,
      display.images,
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
    owner: frameOwner(frame),
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

/** The rendered text of a message, without margin and name. */
interface MessageBody {
  readonly lines: readonly Line[];
  readonly hyperlinks: Hyperlinks | undefined;
  /** The options it was rendered with. */
  readonly bodyOptions: BodyOptions;
  /** Whether it contains code to highlight. */
  readonly hasCode: boolean;
  /** Whether it begins with the words of `BodyOptions.lead`. */
  readonly hasLead: boolean;
}

interface BodyOptions {
  readonly isExpanded: boolean;
  /** Whether a long message is shown without truncation. */
  readonly isWhole: boolean;
  /** Whether the sender is muted: then it is shown only on request. */
  readonly isHidden: boolean;
  readonly isCollapsed: boolean;
  readonly senderName: string;
  /** A search match: HTML with the words marked. */
  readonly match: string | undefined;
  readonly highlight: RenderOptions['highlight'];
  /** The sender, the time and the state in words, for a screen reader. */
  readonly lead?: string | undefined;
}

/**
 * Whether a row has the cursor, and whether its pane has the keyboard focus. `other`: it is the pane beside or below the focused
 * one.
 */
export type CursorMark = 'none' | 'selected' | 'idle' | 'other';

/** Everything that a message's lines depend on besides the message. */
export interface MessageAppearance {
  readonly body: MessageBody;
  readonly name: string;
  readonly nameRole: UiRole;
  /** False when it continues the message above. */
  readonly showsName: boolean;
  readonly showsTime: boolean;
  readonly mark: CursorMark;
  readonly isUnread: boolean;
  readonly isStarred: boolean;
  /** A line below the message about what is unfinished on this machine. */
  readonly notice: string | undefined;
}

interface CachedBody {
  readonly typeset: Typeset;
  readonly body: MessageBody;
}

/** The bodies of the messages seen last, some twenty screens full. After a resize they replace those of the old width. */
const bodiesOf = memoByObject(
  (_owner: object) =>
    new LruCache<Message, CachedBody>(1024 * 1024, ({body}, {content}) =>
      body.lines.reduce((total, line) => total + lineBytes(line), 8 * objectBytes + content.length),
    ),
);

/** Returns the rendered body, cached while the message, the typeset and the options are the same. */
export function messageBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const cached = cachedBody(typeset, message);
  if (cached !== undefined && isSame(cached, bodyOptions)) return cached;
  const body = newBody(typeset, message, bodyOptions);
  bodiesOf(typeset.owner).set(message, {typeset, body});
  return body;
}

/** Returns the body that was rendered last. */
export function cachedBody(typeset: Typeset, message: Message): MessageBody | undefined {
  const cached = bodiesOf(typeset.owner).get(message);
  return cached?.typeset === typeset ? cached.body : undefined;
}

function isSame({bodyOptions: before, hasCode}: MessageBody, bodyOptions: BodyOptions): boolean {
  return (
    before.isExpanded === bodyOptions.isExpanded &&
    before.isWhole === bodyOptions.isWhole &&
    before.isHidden === bodyOptions.isHidden &&
    before.isCollapsed === bodyOptions.isCollapsed &&
    before.senderName === bodyOptions.senderName &&
    before.match === bodyOptions.match &&
    before.lead === bodyOptions.lead &&
    (!hasCode || before.highlight === bodyOptions.highlight)
  );
}

/** Renders the body without the cache. */
export function newBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const empty = {hyperlinks: undefined, bodyOptions, hasCode: false, hasLead: false};
  if (bodyOptions.isHidden) return {...empty, lines: [note(typeset, 'Hidden: from a user you muted (-)')]};
  if (bodyOptions.isCollapsed) return {...empty, lines: [note(typeset, `${typeset.glyphs.ellipsis} collapsed (-)`)]};
  return renderedBody(typeset, message, bodyOptions);
}

function renderedBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const {context, options, measures} = typeset;
  let hasCode = false;
  const {lines, links, cutNoteLineCount, hasLead} = renderMessage(
    {
      source: message.content,
      senderName: bodyOptions.senderName,
      senderId: message.senderId,
      submessages: message.submessages,
      facts: message.facts,
      lead: bodyOptions.lead,
    },
    context,
    {
      ...options,
      cutHint: '; O opens it in the browser',
      expanded: bodyOptions.isExpanded,
      matches: bodyOptions.match === undefined ? [] : matchedWords(bodyOptions.match),
      highlight: (language, code) => {
        hasCode = true;
        return bodyOptions.highlight?.(language, code);
      },
    },
  );
  const realmUrl = context.realmUrl === undefined ? {} : {realmUrl: context.realmUrl};
  return {
    lines:
      bodyOptions.isExpanded || bodyOptions.isWhole
        ? lines
        : truncated(typeset, lines, measures.maxLines, cutNoteLineCount),
    hyperlinks: links.length === 0 ? undefined : {links, id: `m${message.id}`, ...realmUrl},
    bodyOptions,
    hasCode,
    hasLead,
  };
}

/** Messages are not truncated to save fewer lines than this. */
const minTruncated = 3;

function truncated(typeset: Typeset, lines: readonly Line[], maxLines: number, keptAtEnd: number): readonly Line[] {
  // The first image does not count, so that a screenshot with a few lines of text is shown whole.
  const wanted = maxLines + firstImageRows(lines, maxLines);
  if (lines.length <= wanted + minTruncated + keptAtEnd) return lines;
  const shown = wanted - (imageRowOf(lines[wanted])?.row ?? 0);
  const text = `${typeset.glyphs.ellipsis} ${lines.length - shown - keptAtEnd} more lines (-)`;
  return [...lines.slice(0, shown), note(typeset, text), ...lines.slice(lines.length - keptAtEnd)];
}

/** Returns the rows of the first image; 0 when it begins below the shown lines. */
function firstImageRows(lines: readonly Line[], maxLines: number): number {
  for (let at = 0; at <= maxLines; at++) {
    const image = imageRowOf(lines[at]);
    if (image !== undefined) return image.rows;
  }
  return 0;
}

function note({measures}: Typeset, text: string): Line {
  const shown = text.slice(0, measures.textWidth);
  return {spans: [{text: shown, role: 'note'}], width: shown.length};
}
