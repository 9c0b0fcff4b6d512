import {searchCompletion} from '#app/search/search-operators.ts';
import type {AccountState} from '#state/state.ts';
import {foldText} from '#std/fold-text.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionKind,
  type CompletionOption,
  completionOf,
} from './completion.ts';
import {type CompletionTrigger, triggerAt} from './completion-trigger.ts';
import {emojiOptions, emoticonOption} from './emoji-options.ts';
import {
  channelFieldCompletion,
  fileFieldCompletion,
  peopleFieldCompletion,
  topicFieldCompletion,
} from './field-completion.ts';
import {channelLinkOptions, parseChannelAndTopic, topicLinkOptions} from './find-channels-and-topics.ts';
import {isCode} from './is-code.ts';
import {languageCompletion} from './language-completion.ts';
import {mentionOptions} from './mention-options.ts';
import {addressCompletion, messageLinkOptions} from './message-link-options.ts';
import {slashCompletion} from './slash-commands.ts';
import {timeOptions} from './time-options.ts';

/** What could be meant by what stands before the cursor; undefined when there is nothing to offer. */
export function completionAt(state: AccountState, situation: CompletionContext): Completion | undefined {
  switch (situation.field) {
    case 'message':
      return messageCompletion(state, situation);
    case 'channel':
      return channelFieldCompletion(state, situation);
    case 'topic':
      return topicFieldCompletion(state, situation);
    case 'people':
      return peopleFieldCompletion(state, situation);
    case 'search':
      return searchCompletion(state, situation);
    case 'file':
      return fileFieldCompletion(situation);
  }
}

function messageCompletion(state: AccountState, situation: CompletionContext): Completion | undefined {
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
  trigger: CompletionTrigger,
  situation: CompletionContext,
): Completion | undefined {
  const {start, query} = trigger;
  const face = query.length === 1 ? emoticonOption(`:${query}`) : undefined;
  if (face !== undefined) return completionOf('emoji', {start, end: situation.cursor}, [face], 'none');
  if (query.length < 2) return undefined;
  return completionOf('emoji', replacedRange(trigger, situation), emojiOptions(state, query));
}

function signCompletion(
  state: AccountState,
  trigger: CompletionTrigger,
  situation: CompletionContext,
): Completion | undefined {
  const {kind, options} = signOptions(state, trigger, situation);
  const isName = kind === 'mention' || kind === 'channel';
  const fitting =
    isName && trigger.query.endsWith(' ')
      ? options.filter((one) => isUnfinished(one, trigger.query))
      : options;
  return completionOf(kind, replacedRange(trigger, situation), fitting);
}

/** After a space only what has more to come is offered: a name that is whole is done with. */
function isUnfinished({label}: CompletionOption, query: string): boolean {
  return foldText(label).text.includes(foldText(query).text);
}

function signOptions(
  state: AccountState,
  {kind, query}: CompletionTrigger,
  situation: CompletionContext,
): {readonly kind: CompletionKind; readonly options: readonly CompletionOption[]} {
  const {remap} = situation;
  switch (kind) {
    case 'mention':
    case 'silent':
      return {kind: 'mention', options: mentionOptions(state, query, kind === 'silent', situation)};
    case 'channel': {
      const place = parseChannelAndTopic(state, query);
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
function replacedRange(
  {start, kind}: CompletionTrigger,
  {text, cursor}: CompletionContext,
): {readonly start: number; readonly end: number} {
  const closing = {mention: '**', silent: '**', channel: '**', emoji: ':', time: '>', link: ']]'}[kind];
  const after = text.startsWith(closing, cursor) ? cursor + closing.length : cursor;
  return {start, end: text[after] === ' ' ? after + 1 : after};
}
