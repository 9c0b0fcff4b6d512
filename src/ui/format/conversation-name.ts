import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {graphemeWidths, textColumns} from '#content/styled-text/text-width.ts';
import {endOffsetWithin} from '#content/styled-text/truncate-to-columns.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationOfNarrow, isCombinedFeed} from '#state/model/narrow.ts';
import {channelName, conversationRowTitle, distinctUserName, isResolved} from '#state/selectors/names/names.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {AppInfo, Frame, MessagesView, View} from '#ui/core/frame.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {UiGlyphs} from '#wording/ui-glyphs.ts';

/** A range of the text that stays, or an omission. */
type NamePiece = readonly [from: number, to: number] | 'cut';

/** A truncated channel keeps this share of the room, and at least `minChannel` columns. */
const channelShare = 0.38;
/** A channel is not truncated to save fewer columns. */
const minSaved = 2;
const minChannel = 6;
/** With less room, the topic is shown without its channel. */
const minTopic = 6;

/**
 * Fits `#channel › topic`, or names, into columns. The channel is truncated before the topic, which distinguishes
 * conversations; where one of `others` would look the same, the part in which they differ is shown.
 */
export function conversationNameSpans(
  spans: readonly UiSpan[],
  columns: number,
  glyphs: UiGlyphs,
  others: readonly string[] = [],
): readonly UiSpan[] {
  const safe = fittedLine(spans, Number.MAX_SAFE_INTEGER).spans;
  const text = textOf(safe);
  if (textColumns(text) <= columns) return safe;
  const into = ` ${glyphs.topic} `;
  const pieces = distinctPieces(text, columns, into, others.map(sanitizeText));
  return pieces.flatMap((piece): readonly UiSpan[] =>
    piece === 'cut' ? [{text: glyphs.ellipsis, role: safe.at(-1)?.role ?? 'text'}] : sliced(safe, piece),
  );
}

/** The separator in conversation titles. */
const defaultSeparator = '›';

/** Returns the label with the separator that this terminal can show. */
export function conversationNameText(label: string, glyphs: UiGlyphs): string {
  return glyphs.topic === defaultSeparator || !label.startsWith('#')
    ? label
    : label.replace(` ${defaultSeparator} `, ` ${glyphs.topic} `);
}

/** Returns the channel of `#channel › topic`. */
export function channelPart(label: string): string {
  return label.slice(0, label.indexOf(` ${defaultSeparator} `));
}

/** Returns where the topic starts in `#channel › topic` as shown on the screen; 0 in the names of people. */
export function topicStart(text: string, {topic}: UiGlyphs): number {
  const at = text.startsWith('#') ? text.indexOf(` ${topic} `) : -1;
  return at < 0 ? 0 : at + topic.length + 2;
}

/** Returns the topic without its channel. */
export function topicSpans(spans: readonly UiSpan[], glyphs: UiGlyphs): readonly UiSpan[] {
  const text = textOf(spans);
  return sliced(spans, [topicStart(text, glyphs), text.length]);
}

/** Dims the channel, because among rows of one channel only the topics differ. */
export function dimChannelSpans(spans: readonly UiSpan[], glyphs: UiGlyphs): readonly UiSpan[] {
  const text = textOf(spans);
  const name = topicStart(text, glyphs);
  const quiet = sliced(spans, [0, name]).map(
    (span): UiSpan => (span.tint === undefined && span.role === 'text' ? {...span, role: 'dim'} : span),
  );
  return [...quiet, ...sliced(spans, [name, text.length])];
}

/** Shows the name of a channel at the start, or after a `[x] `, in the colour that the user chose for it. */
export function tintedChannelSpans(
  spans: readonly UiSpan[],
  color: string | undefined,
  glyphs: Pick<UiGlyphs, 'topic'>,
): readonly UiSpan[] {
  const text = textOf(spans);
  const start = /^\[.\] /.exec(text)?.[0].length ?? 0;
  if (color === undefined || !text.startsWith('#', start)) return spans;
  const at = text.indexOf(` ${glyphs.topic} `);
  const end = at < 0 ? text.length : at;
  const name = sliced(spans, [start, end]).map((span): UiSpan => ({...span, tint: color}));
  return [...sliced(spans, [0, start]), ...name, ...sliced(spans, [end, text.length])];
}

function textOf(spans: readonly UiSpan[]): string {
  return spans.map(({text}) => text).join('');
}

function sliced(spans: readonly UiSpan[], [from, to]: readonly [number, number]): readonly UiSpan[] {
  const found: UiSpan[] = [];
  let at = 0;
  for (const span of spans) {
    const text = span.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (text !== '') found.push(text === span.text ? span : {...span, text});
    at += span.text.length;
  }
  return found;
}

function distinctPieces(text: string, columns: number, into: string, others: readonly string[]): readonly NamePiece[] {
  const pieces = cutPieces(text, columns, into);
  const shown = shownAs(text, pieces);
  const lookalikes = others.filter(
    (other) => other !== text && shownAs(other, cutPieces(other, columns, into)) === shown,
  );
  if (lookalikes.length === 0) return pieces;
  const differs = Math.max(...lookalikes.map((lookalike) => firstDifference(text, lookalike)));
  return cutPieces(text, columns, into, differs);
}

function shownAs(text: string, pieces: readonly NamePiece[]): string {
  return pieces.map((piece) => (piece === 'cut' ? '…' : text.slice(...piece))).join('');
}

/** `differs`: the offset that must stay visible. */
function cutPieces(text: string, columns: number, into: string, differs = -1): readonly NamePiece[] {
  const at = text.startsWith('#') ? text.indexOf(into) : -1;
  const name = at < 0 ? 0 : at + into.length;
  if (at < 0) return cutPart(text, [0, text.length], columns, differs);
  const isInChannel = differs >= 0 && differs < name;
  const room = columns - into.length;
  const channelColumns = textColumns(text.slice(0, at));
  const nameColumns = textColumns(text.slice(name));
  const share = Math.max(minChannel, Math.floor(room * (isInChannel ? tailShare : channelShare)));
  const least = channelColumns < share + minSaved ? channelColumns : share;
  if (room < minChannel + minTopic) return cutPart(text, [name, text.length], columns, differs);
  const forName = Math.min(nameColumns, Math.max(0, room - least));
  return [
    ...cutPart(text, [0, at], room - forName, isInChannel ? Math.min(differs, at) : -1),
    [at, name],
    ...cutPart(text, [name, text.length], forName, isInChannel ? -1 : differs),
  ];
}

/** Truncates a part of the text at its end, or around the offset that must stay visible. */
function cutPart(
  text: string,
  [from, to]: readonly [number, number],
  columns: number,
  differs = -1,
): readonly NamePiece[] {
  const part = text.slice(from, to);
  if (textColumns(part) <= columns) return [[from, to]];
  if (columns < 1) return [];
  const end = endOffsetWithin(part, columns - 1);
  if (differs < from + end) return [[from, from + part.slice(0, end).trimEnd().length], 'cut'];
  const reach = Math.floor(columns * tailReach);
  const tail = tailStart(part, differs - from, reach);
  const tailColumns = Math.min(textColumns(part.slice(tail)), Math.ceil((columns - 1) * tailShare));
  const head = part.slice(0, endOffsetWithin(part, columns - 1 - tailColumns)).trimEnd();
  const left = columns - 1 - textColumns(head);
  return [[from, from + head.length], 'cut', ...cutPart(text, [from + tail, to], left)];
}

/** The share of the room after the omission, and how far before the difference it may start. */
const tailShare = 0.6;
const tailReach = 0.3;

/**
 * Returns the start of the word that differs, if near; when the text ends where the other continues, of its last word.
 */
function tailStart(text: string, differs: number, reach: number): number {
  const {ends, columns} = graphemeWidths(text);
  let [at, left] = [differs, reach];
  for (let cell = ends.indexOf(differs); cell >= 0; cell--) {
    const start = ends[cell - 1] ?? 0;
    if (at < differs && text[at - 1] === ' ') return at;
    left -= columns[cell] ?? 1;
    if (left < 0) break;
    at = start;
  }
  const isNear = at < differs && (at === 0 || text[at - 1] === ' ');
  if (isNear || differs < text.length) return isNear ? at : differs;
  return Math.min(at, ends.at(-2) ?? 0);
}

/** Returns the offset of the first different character. */
function firstDifference(a: string, b: string): number {
  const {ends} = graphemeWidths(a);
  const {ends: others} = graphemeWidths(b);
  let same = 0;
  for (const [at, end] of ends.entries()) {
    if (others[at] !== end || a.slice(same, end) !== b.slice(same, end)) break;
    same = end;
  }
  return same;
}

type Subscriptions = Pick<AccountState, 'subscriptions'>;

/** Returns the colour that the user chose for a channel; undefined without a subscription. */
export function channelColor({subscriptions}: Subscriptions, channelId: number | undefined): string | undefined {
  const own = channelId === undefined ? undefined : subscriptions.get(channelId);
  return own?.isSubscribed === true ? own.color : undefined;
}

export function conversationColor(account: Subscriptions, conversation: Conversation | undefined): string | undefined {
  return conversation?.kind === 'topic' ? channelColor(account, conversation.channelId) : undefined;
}

/** Returns the title of a view for the header, lists and the window title; with an organization, `Search in acme: tides`. */
export function viewTitle({account}: Pick<Frame, 'account'>, view: View, organization?: string): string {
  const title = knownTitle(account, view);
  const place = organization === undefined ? '' : composed` in ${organization}`;
  if (title !== undefined) return composed`${title}${place}`;
  const query = view.kind === 'messages' ? (view.query ?? searchText(view.narrow, account)) : '';
  return composed`Search${place}: ${query}`;
}

/** Returns the title of a view that is no search. */
function knownTitle(account: Frame['account'], view: View): string | undefined {
  if (view.kind === 'topics') return composed`Topics of #${channelName(account, view.channelId)}`;
  if (view.kind === 'messages') return messagesTitle(account, view);
  return view.kind === 'drafts' ? draftsTitles[view.tab] : viewTitles[view.kind];
}

const viewTitles = {
  inbox: 'Inbox',
  triage: 'Triage',
  recent: 'Recent conversations',
  catchUp: 'Catch up',
  directs: 'Direct messages',
  channels: 'Channels',
  people: 'People',
} as const;

const draftsTitles = {
  drafts: 'Drafts',
  outbox: 'Outbox',
  scheduled: 'Scheduled messages',
  reminders: 'Reminders',
} as const;

const isTitles: Readonly<Record<string, string>> = {
  dm: 'Direct message feed',
  mentioned: 'Mentions',
  starred: 'Starred messages',
  unread: 'Unread messages',
  followed: 'Followed topics',
  resolved: 'Resolved topics',
  alerted: 'Alert words',
};

/** Returns the conversation's title with a check mark if it is resolved. */
export function titleWithResolvedMark(account: Frame['account'], conversation: Conversation): string {
  const isDone = conversation.kind === 'topic' && isResolved(conversation.topic);
  return composed`${conversationRowTitle(account, conversation)}${isDone ? ' ✓' : ''}`;
}

function messagesTitle(account: Frame['account'], {narrow, query}: MessagesView): string | undefined {
  const conversation = conversationOfNarrow(narrow);
  if (conversation !== undefined) return titleWithResolvedMark(account, conversation);
  const [first, second] = narrow;
  if (first === undefined) return 'All messages';
  if (isCombinedFeed(narrow)) return 'Combined feed';
  if (second === undefined && first.negated !== true) {
    if (first.operator === 'sender' && query === undefined && typeof first.operand === 'number')
      return composed`Messages from ${distinctUserName(account, first.operand)}`;
    if (first.operator === 'channel') return composed`#${channelName(account, Number(first.operand))}`;
    const title = first.operator === 'is' ? isTitles[String(first.operand)] : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/**
 * Returns how the screen calls the account: by its name if there are several accounts, else by its organization. An
 * account that was opened by its file has the path as its name, which is too long to show.
 */
export function accountLabel({realm}: AccountState, {accountName, accountCount}: AppInfo): string {
  const hasShortName = accountCount > 1 && !accountName.includes('/');
  return hasShortName ? accountName : (realm.name ?? accountName.slice(accountName.lastIndexOf('/') + 1));
}
