import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {type FuzzyMatch, fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {printableLine} from '#std/printable.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  maxOptions,
} from './completion.ts';
import {channelLinkText, directLinkText} from './link-text.ts';

/** The number of messages searched, of this conversation and of all loaded ones. */
const lookBack = 300;
const maxLabelLength = 120;

/** Returns links to loaded messages, newest first, those of this conversation before others. */
export function messageLinkOptions(
  state: AccountState,
  query: string,
  {conversation}: CompletionContext,
): readonly CompletionOption[] {
  const here = conversation === undefined ? undefined : conversationKey(conversation);
  const own = here === undefined ? [] : [...latest(state.messages.byConversation.get(here)?.reversed())];
  const ids = new Set([...own, ...latest(newestKeys(state))]);
  const options: CompletionOption[] = [];
  for (const id of ids) {
    const message = state.messages.byId.get(id);
    if (message === undefined || options.length >= maxOptions) continue;
    const label = `${userName(state, message.senderId, message.senderName)}: ${printableLine(message.content)}`;
    const shown = label.slice(0, maxLabelLength);
    const match: FuzzyMatch | undefined = fuzzyMatch(query, shown);
    if (match === undefined || (query !== '' && match.score < matchScores.inside)) continue;
    const insert = `${messageLinkText(state, message)} `;
    options.push({
      label: shown,
      detail: conversationTitle(state, conversationOf(message)),
      insert,
      ranges: match.ranges,
    });
  }
  return options;
}

function* latest(ids: Iterable<number> | undefined): Generator<number> {
  let count = 0;
  for (const id of ids ?? []) {
    count += 1;
    if (count > lookBack) return;
    yield id;
  }
}

function* newestKeys({messages}: AccountState): Generator<number> {
  for (const [id] of messages.byId.entriesReversed()) yield id;
}

/** Returns a link to a message, in the shortest form that the server supports. */
function messageLinkText(state: AccountState, message: Message): string {
  if (message.kind === 'direct') {
    const title = `message to ${conversationTitle(state, conversationOf(message))}`;
    return directLinkText(title, [...message.userIds, state.self.userId], message.id);
  }
  const name = state.channels.get(message.channelId)?.name ?? String(message.channelId);
  return channelLinkText(state, {id: message.channelId, name}, message.topic, message.id);
}

const address = /https?:\/\/\S+$/u;

/** Offers to turn the URL of a message or conversation on this server into a link; it is not selected by default. */
export function addressCompletion(state: AccountState, text: string, cursor: number): Completion | undefined {
  const found = address.exec(text.slice(Math.max(0, cursor - 2000), cursor));
  const isWhole = !/^\S/u.test(text.slice(cursor));
  if (found === null || !isWhole || !found[0].includes('#narrow/')) return undefined;
  const start = cursor - found[0].length;
  // The target of a Markdown link stays as it is.
  if (/\]\($/.test(text.slice(0, start))) return undefined;
  const destination = parseDestination(state, found[0]);
  const link =
    destination.kind === 'conversation'
      ? linkOf(state, undefined, destination.conversation)
      : destination.kind === 'narrow'
        ? linkOf(state, destination.narrow)
        : undefined;
  if (link === undefined) return undefined;
  return completionOf(
    'link',
    {start, end: cursor},
    [{label: link, detail: 'as a link', insert: `${link} `, ranges: []}],
    'none',
  );
}

function linkOf(
  state: AccountState,
  narrow: Narrow = [],
  conversation?: {readonly kind: string; readonly channelId?: number; readonly topic?: string},
): string | undefined {
  const operandOf = (name: string) => narrow.find(({operator}) => operator === name)?.operand;
  const channel = state.channels.get(conversation?.channelId ?? Number(operandOf('channel')));
  const rest = narrow.filter(({operator}) => !['channel', 'topic', 'near', 'with'].includes(operator));
  if (channel === undefined || rest.length > 0) return undefined;
  const topic = conversation?.topic ?? operandOf('topic');
  const near = operandOf('near');
  if (topic === undefined) return near === undefined ? channelLinkText(state, channel) : undefined;
  return channelLinkText(state, channel, String(topic), near === undefined ? undefined : Number(near));
}
