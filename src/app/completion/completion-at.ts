import {searchCompletion} from '#app/search/search-operators.ts';
import type {AccountState} from '#state/state.ts';
import {folded} from '#std/fold-text.ts';
import {
  type Completion,
  type CompletionKind,
  completionOf,
  type Option,
  type Situation,
} from './completion.ts';
import {type Trigger, triggerAt} from './completion-trigger.ts';
import {emojiOptions, emoticonOption} from './emoji-options.ts';
import {channelField, fileField, peopleField, topicField} from './field-completion.ts';
import {channelLinkOptions, topicLinkOptions, writtenPlace} from './find-channels-and-topics.ts';
import {isCode} from './is-code.ts';
import {languageCompletion} from './language-completion.ts';
import {mentionOptions} from './mention-options.ts';
import {addressCompletion, messageLinkOptions} from './message-link-options.ts';
import {slashCompletion} from './slash-commands.ts';
import {timeOptions} from './time-options.ts';

/** What could be meant by what stands before the cursor; undefined when there is nothing to offer. */
export function completionAt(state: AccountState, situation: Situation): Completion | undefined {
  switch (situation.field) {
    case 'message':
      return inMessage(state, situation);
    case 'channel':
      return channelField(state, situation);
    case 'topic':
      return topicField(state, situation);
    case 'people':
      return peopleField(state, situation);
    case 'search':
      return searchCompletion(state, situation);
    case 'file':
      return fileField(situation);
  }
}

function inMessage(state: AccountState, situation: Situation): Completion | undefined {
  const {text, cursor} = situation;
  const atFence = languageCompletion(text, cursor);
  if (atFence !== undefined) return atFence;
  if (isCode(text, cursor)) return undefined;
  const first = slashCompletion(text, cursor) ?? addressCompletion(state, text, cursor);
  if (first !== undefined) return first;
  const trigger = triggerAt(text, cursor);
  if (trigger === undefined) return undefined;
  return trigger.kind === 'emoji'
    ? emojiCompletion(state, trigger, situation)
    : signCompletion(state, trigger, situation);
}

/** A face means itself: Enter sends it as it stands. */
function emojiCompletion(
  state: AccountState,
  trigger: Trigger,
  situation: Situation,
): Completion | undefined {
  const {start, query} = trigger;
  const face = query.length === 1 ? emoticonOption(`:${query}`) : undefined;
  if (face !== undefined) return completionOf('emoji', {start, end: situation.cursor}, [face], 'none');
  if (query.length < 2) return undefined;
  return completionOf('emoji', placeOf(trigger, situation), emojiOptions(state, query));
}

function signCompletion(state: AccountState, trigger: Trigger, situation: Situation): Completion | undefined {
  const {kind, options} = signOptions(state, trigger, situation);
  const isName = kind === 'mention' || kind === 'channel';
  const fitting =
    isName && trigger.query.endsWith(' ') ? options.filter((one) => goesOn(one, trigger.query)) : options;
  return completionOf(kind, placeOf(trigger, situation), fitting);
}

/** After a space only what has more to come is offered: a name that is whole is done with. */
function goesOn({label}: Option, query: string): boolean {
  return folded(label).text.includes(folded(query).text);
}

function signOptions(
  state: AccountState,
  {kind, query}: Trigger,
  situation: Situation,
): {readonly kind: CompletionKind; readonly options: readonly Option[]} {
  const {remap} = situation;
  switch (kind) {
    case 'mention':
    case 'silent':
      return {kind: 'mention', options: mentionOptions(state, query, kind === 'silent', situation)};
    case 'channel': {
      const place = writtenPlace(state, query);
      return place === undefined
        ? {kind: 'channel', options: channelLinkOptions(state, query, remap)}
        : {kind: 'topic', options: topicLinkOptions(state, place, remap)};
    }
    case 'time':
      return {kind: 'time', options: timeOptions(query, situation)};
    default:
      return {kind: 'link', options: messageLinkOptions(state, query, situation)};
  }
}

/** What is inserted ends with a space: one that is there already is taken along, and so is what closes the sign. */
function placeOf(
  {start, kind}: Trigger,
  {text, cursor}: Situation,
): {readonly start: number; readonly end: number} {
  const closing = {mention: '**', silent: '**', channel: '**', emoji: ':', time: '>', link: ']]'}[kind];
  const after = text.startsWith(closing, cursor) ? cursor + closing.length : cursor;
  return {start, end: text[after] === ' ' ? after + 1 : after};
}
