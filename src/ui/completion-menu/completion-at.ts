import type {AccountState} from '#state/state.ts';
import {foldText} from '#std/fold-text.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {searchCompletion} from '#ui/search/search-operators.ts';
import {type Completion, type CompletionContext, type CompletionOption, completionOf} from './completion.ts';
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
import {timeOptions} from './time-options.ts';

/** Returns the completions for the text before the cursor; undefined when there are none. */
export function completionAt(state: AccountState, context: CompletionContext): Completion | undefined {
  switch (context.field) {
    case 'message':
      return messageCompletion(state, context);
    case 'channel':
      return channelFieldCompletion(state, context);
    case 'topic':
      return topicFieldCompletion(state, context);
    case 'people':
      return peopleFieldCompletion(state, context);
    case 'search':
      return searchCompletion(state, context);
    case 'file':
      return fileFieldCompletion(context);
  }
}

function messageCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor} = context;
  const atFence = languageCompletion(text, cursor);
  if (atFence !== undefined) return atFence;
  if (isCode(text, cursor)) return undefined;
  const first = slashCompletion(text, cursor) ?? addressCompletion(state, text, cursor);
  if (first !== undefined) return first;
  const trigger = triggerAt(text, cursor);
  if (trigger === undefined) return undefined;
  return trigger.kind === 'emoji' ? emojiCompletion(state, trigger, context) : signCompletion(state, trigger, context);
}

/** Completes emoji names. An emoticon such as `:)` is offered but not selected, so that Enter sends it as it is. */
function emojiCompletion(
  state: AccountState,
  trigger: CompletionTrigger,
  context: CompletionContext,
): Completion | undefined {
  const {start, query} = trigger;
  const emoticon = query.length === 1 ? emoticonOption(state, `:${query}`) : undefined;
  if (emoticon !== undefined) return completionOf('emoji', {start, end: context.cursor}, [emoticon], 'none');
  if (query.length < 2) return undefined;
  return completionOf('emoji', replacedRange(trigger, context), emojiOptions(state, query));
}

function signCompletion(
  state: AccountState,
  trigger: CompletionTrigger,
  context: CompletionContext,
): Completion | undefined {
  const {kind, options, channelId} = signOptions(state, trigger, context);
  const isName = kind === 'mention' || kind === 'channel';
  const matching =
    isName && trigger.query.endsWith(' ') ? options.filter((one) => isUnfinished(one, trigger.query)) : options;
  const completion = completionOf(kind, replacedRange(trigger, context), matching);
  return completion && {...completion, channelId};
}

/** Whether the label contains the query with its trailing space: after a space a complete name is no longer offered. */
function isUnfinished({label}: CompletionOption, query: string): boolean {
  return foldText(label).text.includes(foldText(query).text);
}

function signOptions(
  state: AccountState,
  {kind, query}: CompletionTrigger,
  context: CompletionContext,
): Pick<Completion, 'kind' | 'options' | 'channelId'> {
  const {remap} = context;
  switch (kind) {
    case 'mention':
    case 'silent':
      return {kind: 'mention', options: mentionOptions(state, query, kind === 'silent', context)};
    case 'channel': {
      const channelAndTopic = parseChannelAndTopic(state, query);
      return channelAndTopic === undefined
        ? {kind: 'channel', options: channelLinkOptions(state, query, remap)}
        : {
            kind: 'topic',
            options: topicLinkOptions(state, channelAndTopic, remap),
            channelId: channelAndTopic.channel.id,
          };
    }
    case 'time':
      return {kind: 'time', options: timeOptions(state, query, context)};
    default:
      return {kind: 'link', options: messageLinkOptions(state, query, context)};
  }
}

/**
 * Returns the range to replace. It includes the closing characters and a following space, because the inserted text
 * ends with one.
 */
function replacedRange(
  {start, kind}: CompletionTrigger,
  {text, cursor}: CompletionContext,
): {readonly start: number; readonly end: number} {
  const closing = {mention: '**', silent: '**', channel: '**', emoji: ':', time: '>', link: ']]'}[kind];
  const after = text.startsWith(closing, cursor) ? cursor + closing.length : cursor;
  return {start, end: text[after] === ' ' ? after + 1 : after};
}

const commands = [
  {name: 'me', detail: 'describe an action: /me is on it'},
  {name: 'poll', detail: 'poll: a question, then one option per line'},
  {name: 'todo', detail: 'to-do list: one task per line'},
] as const;

/** Completes slash commands, at the start of a message only. */
function slashCompletion(text: string, cursor: number): Completion | undefined {
  const [, query] = /^\/([a-z]*)$/iu.exec(text.slice(0, cursor)) ?? [];
  if (query === undefined || /^\S/u.test(text.slice(cursor))) return undefined;
  const options = commands.flatMap(({name, detail}): CompletionOption[] => {
    const match = fuzzyMatch(query, name);
    if (match === undefined || (query !== '' && match.score < matchScores.prefix)) return [];
    const ranges = match.ranges.map(([start, end]): readonly [number, number] => [start + 1, end + 1]);
    return [{label: `/${name}`, detail, insert: `/${name} `, ranges}];
  });
  return completionOf('command', {start: 0, end: cursor}, options);
}
