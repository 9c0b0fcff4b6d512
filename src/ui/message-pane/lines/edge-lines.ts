import {wrapSpans} from '#content/styled-text/wrap.ts';
import {dayText} from '#content/time-text.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationOfNarrow, isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {
  channelName,
  conversationRowTitle,
  conversationTitle,
  isResolved,
  topicDisplayName,
} from '#state/selectors/names/names.ts';
import {canPostInChannel, hasNoTopics, unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {hasOnlySavedMessages} from '#state/timelines/timeline-pages.ts';
import {composed} from '#std/composed-text.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {conversationColor} from '#ui/format/conversation-name.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiSpan} from '#ui/layout/ui-line.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {messageGlyphs, type Typeset} from './typeset.ts';

/** The keys that retry a failed load, among the messages and in a preview. */
const retryKeys = {
  older: {messages: 'k', preview: 'PageUp'},
  newer: {messages: 'j', preview: 'Space'},
} as const;

/** The lines above the oldest loaded message. */
export function topLines(typeset: Typeset, timeline: Timeline, isPreview: boolean): readonly PaneLine[] {
  const isBeginning = timeline.hasOldest && timeline.loading !== 'older';
  if (isBeginning) return [labelledRule(typeset, 'beginning', 'date_separator')];
  return missingLines(typeset, timeline, 'older', isPreview);
}

/** The lines below the newest message. Most views simply end; searches and previews mark the end. */
export function bottomLines(
  typeset: Typeset,
  timeline: Timeline,
  {saysEnd, isPreview}: {readonly saysEnd: boolean; readonly isPreview: boolean},
): readonly PaneLine[] {
  if (timeline.hasNewest) return saysEnd ? [labelledRule(typeset, 'end', 'date_separator')] : [];
  return missingLines(typeset, timeline, 'newer', isPreview);
}

/** Says that messages are loading, or why they could not be loaded. What comes and goes by itself is not spoken. */
function missingLines(
  typeset: Typeset,
  {problem, loading}: Timeline,
  which: 'older' | 'newer',
  isPreview: boolean,
): readonly PaneLine[] {
  if (loading === which && typeset.measures.form !== 'spoken')
    return [labelledRule(typeset, `loading ${which}`, 'date_separator')];
  if (problem === undefined || loading !== undefined) return [];
  const key = retryKeys[which][isPreview ? 'preview' : 'messages'];
  const text = `${which} messages could not be loaded: ${problem} ${typeset.glyphs.between} ${key} tries again`;
  return [labelledRule(typeset, text, 'warning')];
}

/** Why no messages are shown: what is said instead of them. */
export interface NoMessages {
  readonly state: 'loading' | 'failed' | 'unsaved' | 'empty';
  readonly texts: readonly UiSpan[];
}

/** Returns why a timeline without messages has none. */
export function whyNoMessages(
  frame: Frame,
  {glyphs}: Typeset,
  narrow: Narrow,
  timeline: Timeline | undefined,
  isPreview: boolean,
): NoMessages {
  const {phase} = frame.account.connection;
  const isComplete =
    (timeline?.hasOldest === true && timeline.hasNewest) ||
    (phase === 'online' && lostChannelText(frame, narrow) !== undefined);
  if (isComplete) {
    const {what, keys} = emptyTimelineText(frame, narrow);
    return {state: 'empty', texts: [{text: what, role: 'text'}, ...keys.map((text): UiSpan => ({text, role: 'hint'}))]};
  }
  if (timeline?.problem !== undefined && timeline.loading === undefined) {
    const problem = `These messages could not be loaded: ${timeline.problem}`;
    const retry = `${retryKeys.newer[isPreview ? 'preview' : 'messages']} tries again`;
    return {
      state: 'failed',
      texts: [
        {text: problem, role: 'warning'},
        {text: retry, role: 'hint'},
      ],
    };
  }
  if (phase !== 'offline') {
    return {state: 'loading', texts: [{text: `Loading messages${glyphs.ellipsis}`, role: 'dim'}]};
  }
  const text = 'These messages are not saved on this machine. They load when back online.';
  return {state: 'unsaved', texts: [{text, role: 'dim'}]};
}

/** Returns the lines shown instead of messages. Never empty. */
export function noMessagesLines({texts}: NoMessages, {columns, indent}: Typeset['measures']): readonly PaneLine[] {
  const margin: UiSpan = {text: ' '.repeat(Math.min(indent, 2)), role: 'text'};
  const lines = texts.flatMap((span) =>
    wrapSpans([...fittedLine([span], Number.MAX_SAFE_INTEGER).spans], {
      width: Math.max(1, columns - 1),
      first: [margin],
      rest: [margin],
    }),
  );
  return [blankLine, ...lines];
}

const edgeTexts = {
  top: 'Older messages load when back online',
  bottom: 'Offline: showing saved messages',
} as const;

/** Returns the line at an edge of the saved messages; undefined when the edge is not due to being offline. */
export function savedEdgeLines(
  {account}: Pick<Frame, 'account'>,
  typeset: Typeset,
  timeline: Timeline,
  edge: keyof typeof edgeTexts,
): readonly PaneLine[] | undefined {
  return isOnlySaved(account, timeline) ? [labelledRule(typeset, edgeTexts[edge], 'date_separator')] : undefined;
}

/** Returns a labelled rule across the pane; the same object for the same text. */
function labelledRule(typeset: Typeset, text: string, role: UiRole): PaneLine {
  return typeset.rules.getOrCompute(`${role} ${text}`, () => {
    const {columns} = typeset.measures;
    const {rule: glyph, ellipsis} = typeset.glyphs;
    return rule(columns, {label: [{text, role}], role, glyph, ellipsis});
  });
}

export function dateLine(typeset: Typeset, atMs: number): PaneLine {
  return labelledRule(typeset, dayText(atMs, typeset.time), 'date_separator');
}

export function unreadLine(typeset: Typeset, count: number): PaneLine {
  return labelledRule(typeset, count > 0 ? `${count} unread` : 'unread', 'unread_separator');
}

/** The `#channel › topic` heading above each stretch of messages of one conversation. */
export function recipientLine(typeset: Typeset, account: AccountState, conversation: Conversation): PaneLine {
  const {glyphs, measures} = typeset;
  const title = conversationTitle(account, conversation);
  const color = conversationColor(account, conversation);
  return typeset.rules.getOrCompute(`to ${color} ${title}`, () => {
    return leftRightLine(recipientSpans(account, conversation, glyphs, color), [], measures.columns, {
      ellipsis: glyphs.ellipsis,
    });
  });
}

function recipientSpans(
  account: AccountState,
  conversation: Conversation,
  glyphs: Typeset['glyphs'],
  color: string | undefined,
): readonly UiSpan[] {
  if (conversation.kind === 'direct') {
    return [
      {text: 'Direct ', role: 'dim'},
      {text: conversationRowTitle(account, conversation), role: 'topic', bold: true},
    ];
  }
  const {channelId, topic} = conversation;
  const resolved: UiSpan[] = isResolved(topic) ? [{text: ` ${glyphs.check}`, role: 'resolved'}] : [];
  return [
    {text: composed`#${channelName(account, channelId)}`, role: 'channel', bold: true, tint: color},
    {text: ` ${glyphs.into} `, role: 'dim'},
    {text: topicDisplayName(account, topic), role: 'topic', bold: true},
    ...resolved,
  ];
}

interface EmptyTimelineText {
  readonly what: string;
  /** Key hints for what to do next. */
  readonly keys: readonly string[];
}

const textsByFlag: Readonly<Record<string, EmptyTimelineText>> = {
  starred: {what: 'No starred messages.', keys: ['S on a message stars it']},
  mentioned: {what: 'No mentions yet.', keys: ['t recent conversations']},
  dm: {what: 'No direct messages yet.', keys: ['x writes one']},
  unread: {what: 'No unread messages.', keys: ['t recent conversations']},
  followed: {what: 'No messages in followed topics.', keys: ['F follows a topic']},
  alerted: {what: 'No messages with your alert words yet.', keys: ['t recent conversations']},
};

/** Returns what to say of a channel that the user cannot read; undefined where they can. */
function lostChannelText({account, minute}: Frame, narrow: Narrow): EmptyTimelineText | undefined {
  const channelId = channelIdOfNarrow(narrow);
  if (channelId === undefined) return undefined;
  const what = unreadableReason(account, channelId, minute);
  return what === undefined ? undefined : {what, keys: []};
}

/** Describes a view without messages, with key hints. */
export function emptyTimelineText(frame: Frame, narrow: Narrow): EmptyTimelineText {
  const {account} = frame;
  const lost = lostChannelText(frame, narrow);
  if (lost !== undefined) return lost;
  const channel = account.channels.get(channelIdOfNarrow(narrow) ?? -1);
  const conversation = conversationOfNarrow(narrow);
  if (conversation !== undefined) {
    const title = conversationTitle(account, conversation);
    const what =
      conversation.kind === 'topic' ? composed`No messages in ${title} yet.` : composed`No messages with ${title} yet.`;
    return {what, keys: channel?.isArchived === true ? [] : ['r writes the first message']};
  }
  const [only, second] = narrow;
  if (only === undefined || isCombinedFeed(narrow))
    return {what: 'No messages yet.', keys: ['c starts a topic, x a direct message']};
  if (second === undefined && only.negated !== true) {
    if (channel !== undefined) {
      const posting = canPostInChannel(account, channel, frame.minute);
      const key = hasNoTopics(account, channel.id) ? 'c writes the first message' : 'c starts a topic';
      return {what: composed`#${channel.name} has no messages yet.`, keys: [posting.ok ? key : posting.reason]};
    }
    const text = only.operator === 'is' ? textsByFlag[String(only.operand)] : undefined;
    if (text !== undefined) return text;
  }
  return nothingFound(frame, narrow);
}

function nothingFound({screen, display}: Frame, narrow: Narrow): EmptyTimelineText {
  const {between} = messageGlyphs(display);
  const query = screen.view.kind === 'messages' ? screen.view.query : undefined;
  const wider = widerSearch(narrow) === undefined ? '' : `Enter searches all public channels ${between} `;
  return {
    what: composed`No messages found for: ${query ?? narrow.map(termText).join(' ')}`,
    keys: [`${wider}/ changes the search`],
  };
}

function termText({operator, operand, negated}: NarrowTerm): string {
  const text = Array.isArray(operand) ? operand.join(',') : String(operand);
  return operator === 'search' ? text : `${negated === true ? '-' : ''}${operator}:${text}`;
}

/** Returns the search extended to all public channels; undefined when it already names where to search. */
export function widerSearch(narrow: Narrow): Narrow | undefined {
  const hasWords = narrow.some(({operator, negated}) => operator === 'search' && negated !== true);
  const saysWhere = narrow.some(({operator}) =>
    ['channel', 'channels', 'topic', 'dm', 'dm-including', 'is'].includes(operator),
  );
  return hasWords && !saysWhere ? [{operator: 'channels', operand: 'public'}, ...narrow] : undefined;
}

/** Whether only saved messages are shown because the client is offline. */
export function isOnlySaved({connection}: Pick<AccountState, 'connection'>, timeline: Timeline): boolean {
  return connection.phase === 'offline' && hasOnlySavedMessages(timeline);
}

/** Whether nothing newer can be loaded: there is nothing newer, or the client is offline and has no more. */
export function hasReachedEnd({connection}: Pick<AccountState, 'connection'>, {hasNewest, isStale}: Timeline): boolean {
  return hasNewest || (isStale && connection.phase === 'offline');
}
