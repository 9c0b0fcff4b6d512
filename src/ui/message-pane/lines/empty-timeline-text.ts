import {channelIdOfNarrow, conversationOfNarrow, isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {canPostInChannel, hasNoTopics, unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {messageGlyphs} from './typeset.ts';

export interface EmptyTimelineText {
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
export function lostChannelText({account, minute}: Frame, narrow: Narrow): EmptyTimelineText | undefined {
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
    const what = conversation.kind === 'topic' ? `No messages in ${title} yet.` : `No messages with ${title} yet.`;
    return {what, keys: channel?.isArchived === true ? [] : ['r writes the first message']};
  }
  const [only, second] = narrow;
  if (only === undefined || isCombinedFeed(narrow))
    return {what: 'No messages yet.', keys: ['c starts a topic, x a direct message']};
  if (second === undefined && only.negated !== true) {
    if (channel !== undefined) {
      const posting = canPostInChannel(account, channel, frame.minute);
      const key = hasNoTopics(account, channel.id) ? 'c writes the first message' : 'c starts a topic';
      return {what: `#${channel.name} has no messages yet.`, keys: [posting.ok ? key : posting.reason]};
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
    what: `No messages found for: ${query ?? narrow.map(termText).join(' ')}`,
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
