import {emojiText, type ShownEmoji} from '#content/emoji-text.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {imageRowOf, lineBytes} from '#content/styled-text/line.ts';
import {isRightToLeft} from '#content/styled-text/right-to-left.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import type {Message, Reaction} from '#state/model/message.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {composed} from '#std/composed-text.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import {memoByObject, sameFields} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {PaneLine} from '#ui/core/frame.ts';
import {fitText, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {normalizedReactionType} from '#wire/objects/message.ts';
import type {MessageAppearance, Typeset} from './typeset.ts';

interface CachedLines<Appearance> {
  readonly typeset: Typeset;
  readonly appearance: Appearance;
  readonly lines: readonly PaneLine[];
}

/** The lines of the messages seen last, some ten screens full, for all panes and widths together. */
const linesOf = memoByObject(
  (_owner: object) =>
    new LruCache<Message, CachedLines<MessageAppearance>>(1024 * 1024, ({lines}) =>
      lines.reduce((total, line) => total + lineBytes(line), 4 * objectBytes),
    ),
);

/** Returns the message's lines; the same objects while the message, the typeset and its appearance are the same. */
export function linesOfMessage(typeset: Typeset, message: Message, appearance: MessageAppearance): readonly PaneLine[] {
  const known = linesOf(typeset.owner);
  const cached = known.get(message);
  if (cached?.typeset === typeset && sameFields(cached.appearance, appearance)) return cached.lines;
  const lines = newLines(typeset, message, appearance);
  known.set(message, {typeset, appearance, lines});
  return lines;
}

function newLines(typeset: Typeset, message: Message, appearance: MessageAppearance): readonly PaneLine[] {
  const {measures, time} = typeset;
  const {body, isStarred, notice} = appearance;
  if (measures.form === 'spoken') return spokenMessage(typeset, message, appearance);
  const clock = clockText(message.timestamp * 1000, time);
  // A /me message such as `Ann waves` contains its sender's name, and has no line above it for the time.
  const isSentence = message.isMe && measures.form !== 'gutter';
  const parts = trailingParts(typeset, message, {isStarred, time: isSentence ? clock : undefined});
  const lines = withParts(body.lines, parts, typeset, message.submessages.length > 0);
  const content =
    notice === undefined ? lines : [...lines, fittedLine([{text: notice, role: 'failed'}], measures.textWidth)];
  const name = message.isMe ? '' : appearance.name;
  const margined = linesWithMargin(typeset, content, {...appearance, name}, clock);
  const {hyperlinks} = body;
  return hyperlinks === undefined ? margined : margined.map((line) => ({...line, hyperlinks}));
}

/** Returns `Carol, 09:31, new, starred:`, which says in words what marks say on other screens. */
export function spokenHead(
  {time}: Typeset,
  message: Pick<Message, 'timestamp' | 'isMe' | 'editedAt' | 'movedAt'>,
  {name, isUnread, isStarred}: Pick<MessageAppearance, 'name' | 'isUnread' | 'isStarred'>,
): string {
  const changed = message.editedAt !== undefined ? 'edited' : message.movedAt !== undefined ? 'moved' : '';
  const clock = clockText(message.timestamp * 1000, time);
  const words = [message.isMe ? '' : name, clock, isUnread ? 'new' : '', isStarred ? 'starred' : '', changed];
  return `${words.filter((word) => word !== '').join(', ')}:`;
}

function spokenMessage(typeset: Typeset, message: Message, appearance: MessageAppearance): readonly PaneLine[] {
  const {body, notice} = appearance;
  const {textWidth} = typeset.measures;
  const reactions = trailingParts(typeset, {...message, editedAt: undefined, movedAt: undefined}, noParts);
  const notices = notice === undefined ? [] : [fittedLine([{text: notice, role: 'failed'}], textWidth)];
  const content = [...body.lines, ...partLines(reactions, textWidth), ...notices];
  const lines = body.hasLead ? content : withHead(typeset, spokenHead(typeset, message, appearance), content);
  return body.hyperlinks === undefined ? lines : lines.map((line) => ({...line, hyperlinks: body.hyperlinks}));
}

const noParts = {isStarred: false, time: undefined};

/** Puts words before the first line, or above it where it belongs to code, a quote or a table. */
function withHead({measures}: Typeset, text: string, lines: readonly UiLine[]): readonly UiLine[] {
  const head = fittedLine([{text, role: 'text'}], Number.MAX_SAFE_INTEGER).spans;
  const [first, ...rest] = lines;
  const width = {width: measures.textWidth};
  if (first === undefined || isDrawn(first)) return [...wrapSpans<UiRole>([...head], width), ...lines];
  return [...wrapSpans<UiRole>([...head, spaces(1), ...first.spans], width), ...rest];
}

/**
 * Puts the parts behind the last line of text if they fit, else below it; link addresses come after. Below a poll or a to-do list
 * they are never on the line of its last row, where they would seem to belong to it.
 */
function withParts(
  lines: readonly UiLine[],
  parts: readonly UiSpan[],
  {measures: {textWidth, form}}: Typeset,
  isWidget: boolean,
): readonly UiLine[] {
  if (parts.length === 0) return lines.length === 0 ? [{spans: [], width: 0}] : lines;
  const textLines = lines.length - footCount(lines);
  const text = lines.slice(0, textLines);
  const foot = lines.slice(textLines);
  const below = partLines(parts, textWidth);
  const [last, only] = [text.at(-1), below[0]];
  const gap = form === 'narrow' ? 2 : 3;
  if (last === undefined || only === undefined || below.length > 1 || isWidget || isDrawn(last)) {
    return [...text, ...below, ...foot];
  }
  const width = last.width + gap + only.width;
  if (width > textWidth) return [...text, ...below, ...foot];
  const between: UiSpan = {text: ' '.repeat(gap), role: 'text'};
  return [...text.slice(0, -1), {spans: [...last.spans, between, ...only.spans], width}, ...foot];
}

/** The number of lines at the end that show link addresses. */
function footCount(lines: readonly UiLine[]): number {
  let count = 0;
  while (lines.at(-1 - count)?.spans[0]?.role === 'link_number') count += 1;
  return count;
}

/** Whether the line belongs to code, a quote, a table or an image, or begins at the right: nothing may be appended there. */
function isDrawn(line: UiLine): boolean {
  const [first] = line.spans;
  const {paragraph} = line.spans.at(-1) ?? {};
  if (paragraph !== undefined && isRightToLeft(paragraph)) return true;
  if (imageRowOf(line) !== undefined) return true;
  return first?.role === 'quote_bar' || first?.role === 'table_border' || first?.role === 'note';
}

export type MarginAppearance = Pick<
  MessageAppearance,
  'name' | 'nameRole' | 'showsName' | 'showsTime' | 'mark' | 'isUnread'
>;

/** Puts the margin, the name (unless it is empty) and the time around the lines of text. */
function linesWithMargin(
  typeset: Typeset,
  content: readonly UiLine[],
  appearance: MarginAppearance,
  clock: string,
): readonly PaneLine[] {
  const {measures} = typeset;
  if (measures.form === 'gutter') {
    return content.map((line, at) => gutterLine(typeset, line, appearance, at === 0 ? clock : undefined));
  }
  const margined = content.map((line, at) => {
    return prefixedLine(line, [...marginOf(typeset, appearance, at === 0, measures.indent)]);
  });
  if (!appearance.showsName) return appearance.showsTime ? withTime(margined, clock, measures.columns) : margined;
  return appearance.name === '' ? margined : [senderLine(typeset, appearance, clock), ...margined];
}

/** Puts the time at the right of the first line, or else of the last one; where neither has room, it is left out. */
function withTime(lines: readonly UiLine[], clock: string, columns: number): readonly UiLine[] {
  const room = columns - textColumns(clock);
  const fits = (line: UiLine | undefined) =>
    line !== undefined && line.width + 2 <= room && imageRowOf(line) === undefined;
  const at = [0, lines.length - 1].find((index) => fits(lines[index]));
  const line = at === undefined ? undefined : lines[at];
  if (at === undefined || line === undefined) return lines;
  const spans: readonly UiSpan[] = [...line.spans, spaces(room - line.width), {text: clock, role: 'time_stamp'}];
  return lines.with(at, {spans, width: columns});
}

function senderLine(
  {measures: {columns}, glyphs}: Typeset,
  {name, nameRole}: MarginAppearance,
  clock: string,
): PaneLine {
  return leftRightLine([{text: name, role: nameRole, bold: true}], [{text: clock, role: 'time_stamp'}], columns, {
    ellipsis: glyphs.ellipsis,
  });
}

/** `clock` is set on the first line only. The column of the time also shows where a message of the same minute begins. */
function gutterLine(typeset: Typeset, line: UiLine, appearance: MarginAppearance, clock: string | undefined): PaneLine {
  const {measures, glyphs} = typeset;
  const isFirst = clock !== undefined;
  const margin = marginOf(typeset, {...appearance, showsName: true}, isFirst, 2);
  if (!isFirst) return prefixedLine(line, [...margin, spaces(measures.indent - 2)]);
  const name = appearance.showsName ? fitText(appearance.name, measures.nameWidth, glyphs.ellipsis) : '';
  const named: UiSpan[] = name === '' ? [] : [{text: name, role: appearance.nameRole, bold: true}];
  const time = appearance.showsTime ? clock : glyphs.next;
  return prefixedLine(line, [
    ...margin,
    ...named,
    spaces(measures.nameWidth + 1 - textColumns(name)),
    {text: time.padStart(measures.timeWidth), role: 'time_stamp'},
    spaces(2),
  ]);
}

/** The cursor bar, the unread dot, the mark of a message without its own name line, or blanks. */
function marginOf(
  {glyphs}: Typeset,
  {mark, isUnread, showsName}: MarginAppearance,
  isFirst: boolean,
  width: number,
): readonly UiSpan[] {
  const start: UiSpan = isUnread ? {text: glyphs.dot, role: 'unread'} : {text: glyphs.next, role: 'dim'};
  const starts = isFirst && (isUnread || (!showsName && mark === 'none')) ? [start] : [];
  const bar: UiSpan = {
    text: mark === 'other' ? glyphs.barOther : glyphs.bar,
    role: mark === 'selected' ? 'cursor_bar' : 'cursor_bar_idle',
  };
  const marks = (mark === 'none' ? starts : [bar, ...starts]).slice(0, width);
  return width > marks.length ? [...marks, spaces(width - marks.length)] : marks;
}

function spaces(width: number): UiSpan {
  return {text: ' '.repeat(Math.max(0, width)), role: 'text'};
}

function prefixedLine(line: UiLine, spans: readonly UiSpan[]): UiLine {
  const columns = spans.reduce((total, {text}) => total + textColumns(text), 0);
  return {spans: [...spans, ...line.spans], width: columns + line.width};
}

interface UnsentAppearance extends MarginAppearance {
  /** Whether sending takes long enough to show a mark. */
  readonly isSlow: boolean;
  readonly isOnline: boolean;
}

const cachedUnsentLines = new WeakMap<OutboxEntry, CachedLines<UnsentAppearance>>();

/** Returns the lines of an unsent message: dimmed while it is being sent, with the status when it is not. */
export function unsentLines(typeset: Typeset, entry: OutboxEntry, appearance: UnsentAppearance): readonly PaneLine[] {
  const cached = cachedUnsentLines.get(entry);
  if (cached?.typeset === typeset && sameFields(cached.appearance, appearance)) return cached.lines;
  const clock = clockText(entry.createdAt, typeset.time);
  const content = [...contentLines(typeset, entry, appearance), ...stateLines(typeset, entry, appearance)];
  const isSpoken = typeset.measures.form === 'spoken';
  const lines = isSpoken ? content : linesWithMargin(typeset, content, appearance, clock);
  cachedUnsentLines.set(entry, {typeset, appearance, lines});
  return lines;
}

function contentLines(typeset: Typeset, entry: OutboxEntry, {name, isSlow}: UnsentAppearance): readonly UiLine[] {
  const {context, options, glyphs, measures} = typeset;
  const source = {source: entry.content, senderName: name, isUnsent: true};
  if (measures.form === 'spoken') {
    const lead = composed`${name}, ${clockText(entry.createdAt, typeset.time)}:`;
    const rendered = renderMessage({...source, lead}, context, options);
    return rendered.hasLead ? rendered.lines : withHead(typeset, lead, rendered.lines);
  }
  const {lines} = renderMessage(source, context, options);
  if (entry.status !== 'queued' && entry.status !== 'sending') return lines;
  const pending = lines.map((line) => ({
    ...line,
    spans: line.spans.map((span): UiSpan => ({...span, role: 'pending'})),
  }));
  const last = pending.at(-1);
  if (!isSlow || last === undefined) return pending;
  const marked = fittedLine([...last.spans, {text: ` ${glyphs.ellipsis}`, role: 'pending'}], measures.textWidth);
  return [...pending.slice(0, -1), marked];
}

function stateLines(typeset: Typeset, entry: OutboxEntry, appearance: UnsentAppearance): readonly UiLine[] {
  const status = statusSpan(typeset, entry, appearance);
  if (status === undefined) return [];
  return wrapSpans<UiRole>([...fittedLine([status], Number.MAX_SAFE_INTEGER).spans], {
    width: typeset.measures.textWidth,
  });
}

/** Returns the status. The hint line has the keys for the selected message. */
function statusSpan(
  {time}: Typeset,
  {status, problem, createdAt}: OutboxEntry,
  {isOnline}: UnsentAppearance,
): UiSpan | undefined {
  const why = problem === undefined ? '' : `: ${problem}`;
  switch (status) {
    case 'failed':
      return {text: `! not sent${why}`, role: 'failed'};
    case 'unconfirmed':
      return {text: `? possibly not sent${why}`, role: 'failed'};
    case 'held': {
      const when = clockText(createdAt, time);
      return {text: `! not sent automatically, written at ${when}`, role: 'failed'};
    }
    case 'queued':
      return isOnline ? undefined : {text: 'waiting for the connection', role: 'pending'};
    default:
      return undefined;
  }
}

export interface ReactionCount {
  /** The first reaction with this emoji; its name is shown. */
  readonly reaction: Reaction;
  readonly userIds: readonly number[];
}

/** Groups reactions by emoji, in the order in which they were first added. */
export function reactionCounts({reactions}: Pick<Message, 'reactions'>): readonly ReactionCount[] {
  if (reactions.length === 0) return [];
  const counts = new Map<string, {reaction: Reaction; userIds: number[]}>();
  for (const reaction of reactions) {
    const key = `${normalizedReactionType(reaction.reactionType)} ${reaction.emojiCode}`;
    const count = counts.get(key);
    if (count === undefined) counts.set(key, {reaction, userIds: [reaction.userId]});
    else count.userIds.push(reaction.userId);
  }
  return [...counts.values()];
}

export function shownEmoji({emojiName, emojiCode, reactionType}: Reaction): ShownEmoji {
  const kind = normalizedReactionType(reactionType);
  if (kind === 'unicode_emoji') return {kind: 'unicode', name: emojiName, code: emojiCode};
  return {kind: kind === 'realm_emoji' ? 'custom' : 'extra', name: emojiName};
}

/** With more reactions on a message than this, they are counted instead of named. */
const maxNamed = 3;

/** The parts behind a message's text: edited mark, star, reactions. A part is never wrapped. */
function trailingParts(
  {context, options, measures, glyphs, reactorNames}: Typeset,
  message: Message,
  {isStarred, time}: {readonly isStarred: boolean; readonly time: string | undefined},
): readonly UiSpan[] {
  const parts: UiSpan[] = [];
  if (time !== undefined) parts.push({text: time, role: 'time_stamp'});
  if (message.editedAt !== undefined) parts.push({text: '(edited)', role: 'edited'});
  else if (message.movedAt !== undefined) parts.push({text: '(moved)', role: 'edited'});
  if (isStarred) parts.push({text: glyphs.star, role: 'star'});
  const emoji = {...options.emoji, ascii: options.glyphs?.isAscii === true};
  const namesOf = message.reactions.length <= maxNamed ? reactorNames : undefined;
  const gap = measures.form === 'narrow' ? '' : ' ';
  for (const {reaction, userIds} of reactionCounts(message)) {
    const sign = emojiText(shownEmoji(reaction), emoji);
    const isOwn = context.selfId !== undefined && userIds.includes(context.selfId);
    const spanOf = (text: string): UiSpan =>
      isOwn ? {text: `[${text}]`, role: 'reaction_own'} : {text, role: 'reaction'};
    const named = namesOf === undefined ? undefined : spanOf(composed`${sign} ${namesOf(userIds)}`);
    // Names that would be cut are counted as well.
    const fits = named !== undefined && fittedLine([named], Number.MAX_SAFE_INTEGER).width <= measures.textWidth;
    parts.push(fits ? named : spanOf(`${sign}${gap}${userIds.length}`));
  }
  return parts;
}

const gapSpan: UiSpan = {text: '  ', role: 'text'};

/** Puts the parts side by side on as many lines as they need. */
function partLines(parts: readonly UiSpan[], width: number): readonly UiLine[] {
  const lines: UiLine[] = [];
  let line: UiLine | undefined;
  for (const part of parts) {
    const one = fittedLine([part], width);
    const needed: number = line === undefined ? one.width : line.width + gapSpan.text.length + one.width;
    if (line !== undefined && needed <= width) {
      line = {spans: [...line.spans, gapSpan, ...one.spans], width: needed};
    } else {
      if (line !== undefined) lines.push(line);
      line = one;
    }
  }
  return line === undefined ? lines : [...lines, line];
}
