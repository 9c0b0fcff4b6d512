import type {Frame} from '#app/core/frame.ts';
import {conversationOfNarrow, isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import {channelName, conversationTitle} from '#state/selectors/names/names.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {messageGlyphs} from './typeset.ts';

export interface EmptyTimelineText {
  readonly what: string;
  /** What to do about it. */
  readonly keys: readonly string[];
}

const ofFlag: Readonly<Record<string, EmptyTimelineText>> = {
  starred: {what: 'No starred messages.', keys: ['S on a message stars it, to be found here again.']},
  mentioned: {what: 'Nobody has mentioned you yet.', keys: ['t recent conversations']},
  dm: {what: 'No direct messages yet.', keys: ['x writes one']},
  unread: {what: 'Nothing is unread.', keys: ['t recent conversations']},
  followed: {what: 'Nothing in the topics you follow.', keys: ['F follows a topic']},
  alerted: {what: 'None of your alert words has been used yet.', keys: ['t recent conversations']},
};

const lostChannel: EmptyTimelineText = {what: 'This channel is not yours to read any more.', keys: []};

/** What a view without messages is, in one line, and what can be done there. */
export function emptyTimelineText(frame: Frame, narrow: Narrow): EmptyTimelineText {
  const {account} = frame;
  const conversation = conversationOfNarrow(narrow);
  if (conversation !== undefined) {
    const channel = conversation.kind === 'topic' ? account.channels.get(conversation.channelId) : undefined;
    if (conversation.kind === 'topic' && channel === undefined) return lostChannel;
    const title = conversationTitle(account, conversation);
    const what =
      conversation.kind === 'topic' ? `No messages in ${title} yet.` : `No messages with ${title} yet.`;
    return {what, keys: channel?.isArchived === true ? [] : ['r writes the first']};
  }
  const [only, second] = narrow;
  if (only === undefined || isCombinedFeed(narrow))
    return {what: 'No messages yet.', keys: ['c starts a topic, x writes to somebody']};
  if (second === undefined && only.negated !== true) {
    if (only.operator === 'channel') {
      const name = channelName(account, Number(only.operand));
      return {what: `#${name} has no messages yet.`, keys: ['c starts a topic']};
    }
    const known = only.operator === 'is' ? ofFlag[String(only.operand)] : undefined;
    if (known !== undefined) return known;
  }
  return nothingFound(frame, narrow);
}

function nothingFound({screen, display: looks}: Frame, narrow: Narrow): EmptyTimelineText {
  const {between} = messageGlyphs(looks);
  const query = screen.view.kind === 'messages' ? screen.view.query : undefined;
  const wider = widerSearch(narrow) === undefined ? '' : `Enter searches all public channels ${between} `;
  return {
    what: `Nothing found for: ${query ?? narrow.map(termText).join(' ')}`,
    keys: [`${wider}/ changes the search`],
  };
}

function termText({operator, operand, negated}: NarrowTerm): string {
  const text = Array.isArray(operand) ? operand.join(',') : String(operand);
  return operator === 'search' ? text : `${negated === true ? '-' : ''}${operator}:${text}`;
}

/** The same words in all that everybody may read; undefined when the search says itself where to look. */
export function widerSearch(narrow: Narrow): Narrow | undefined {
  const hasWords = narrow.some(({operator, negated}) => operator === 'search' && negated !== true);
  const saysWhere = narrow.some(({operator}) =>
    ['channel', 'channels', 'topic', 'dm', 'dm-including', 'is'].includes(operator),
  );
  return hasWords && !saysWhere ? [{operator: 'channels', operand: 'public'}, ...narrow] : undefined;
}
