import type {Api} from '#api/api.ts';
import type {ApiContext, StateContext} from '#cli/account-access/with-state.ts';
import {type CliIo, PlainFailure, UsageError} from '#cli/io.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {realmUrl} from '#wire/objects/server-settings.ts';
import {readStdin} from './local-files.ts';

export interface ListedMessage {
  readonly message: Message;
  readonly isUnread: boolean;
}

/** Messages, oldest first, and whether there are more in the requested direction. */
type FetchedMessages = {readonly messages: readonly ListedMessage[]; readonly hasMore: boolean};

/** Which messages to fetch, and how many. */
export type MessageRange =
  | {readonly kind: 'last'; readonly count: number; readonly before?: number | undefined}
  | {readonly kind: 'around'; readonly count: number; readonly id: number}
  /** Messages from the oldest on, or from a time (milliseconds since the epoch). */
  | {readonly kind: 'from'; readonly count: number; readonly since?: number | undefined};

type MessagesQuery = ArgsOf<Endpoints['getMessages']>;

const pageSize = 1000;

export async function fetchMessages(
  api: Api,
  selfId: number,
  narrow: Narrow,
  range: MessageRange,
): Promise<FetchedMessages> {
  const fetchPage = async (query: MessagesQuery) => {
    const common = {narrow: wireNarrow(narrow, selfId), apply_markdown: false, client_gravatar: true};
    const response = await api.getMessages({...common, ...query});
    const messages = response.messages.map((wire): ListedMessage => {
      const flags = wire.flags.filter((flag) => flag !== 'read');
      return {message: messageFromWire(wire, flags, selfId), isUnread: flags.length === wire.flags.length};
    });
    return {messages, foundOldest: response.found_oldest ?? true, foundNewest: response.found_newest ?? true};
  };
  switch (range.kind) {
    case 'last': {
      const {count, before} = range;
      const anchor = before === undefined ? {anchor: 'newest' as const} : {anchor: before, include_anchor: false};
      const {messages, foundOldest} = await fetchPage({...anchor, num_before: count, num_after: 0});
      return {messages: messages.slice(-count), hasMore: !foundOldest};
    }
    case 'around': {
      const {count, id} = range;
      const half = Math.floor((count - 1) / 2);
      const {messages} = await fetchPage({anchor: id, num_before: half, num_after: count - 1 - half});
      return {messages, hasMore: false};
    }
    case 'from':
      return fetchForward(fetchPage, range);
  }
}

async function fetchForward(
  fetchPage: (query: MessagesQuery) => Promise<{messages: readonly ListedMessage[]; foundNewest: boolean}>,
  {count, since}: Extract<MessageRange, {kind: 'from'}>,
): Promise<FetchedMessages> {
  const result: ListedMessage[] = [];
  let start: MessagesQuery =
    since === undefined ? {anchor: 'oldest'} : {anchor: 'date', anchor_date: new Date(since).toISOString()};
  for (;;) {
    // One more than requested shows whether there are more.
    const limit = Math.min(pageSize, count + 1 - result.length);
    const {messages, foundNewest} = await fetchPage({...start, num_before: 0, num_after: limit});
    const oldest = (since ?? 0) / 1000;
    const lastId = result.at(-1)?.message.id ?? 0;
    result.push(...messages.filter(({message: {id, timestamp}}) => id > lastId && timestamp >= Math.floor(oldest)));
    const last = messages.at(-1);
    if (result.length > count) return {messages: result.slice(0, count), hasMore: true};
    if (foundNewest || last === undefined) return {messages: result, hasMore: false};
    start = {anchor: last.message.id, include_anchor: false};
  }
}

/** Returns the ids of the messages that a command line names by id or link, each once. */
export async function messageIds(context: ApiContext, words: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const word of words) {
    const id = idIn(word);
    if (id === undefined) throw new UsageError(`“${word}” is not a message. Give its id or its link.`);
    if (/^https?:/i.test(word) && !(await isThisServer(context, word))) {
      throw new PlainFailure('This link is for another organization.');
    }
    ids.push(id);
  }
  return [...new Set(ids)];
}

/** Returns the id of the only message that a command line names. */
export async function messageId(context: ApiContext, word: string): Promise<number> {
  const [id = 0] = await messageIds(context, [word]);
  return id;
}

function idIn(word: string): number | undefined {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  // Only the message counts, so it does not matter which channel an old link means.
  const terms = parseNarrowLink(word, () => 0) ?? [];
  const target = terms.find(({operator}) => ['near', 'with', 'id'].includes(operator));
  return typeof target?.operand === 'number' ? target.operand : undefined;
}

/** Asks the server for its own address if the link has another one than the account. */
async function isThisServer({api}: ApiContext, link: string): Promise<boolean> {
  const host = URL.parse(link)?.host;
  if (host === URL.parse(api.connection.site)?.host) return true;
  const url = realmUrl(await api.getServerSettings({}));
  return url !== undefined && URL.parse(url)?.host === host;
}

/** Fetches a message with its Markdown source. */
export async function fetchMessage({api, state}: StateContext, id: number): Promise<Message> {
  const {message} = await api.getMessage({message_id: id, apply_markdown: false});
  return messageFromWire(message, message.flags, state.self.userId);
}

/** Returns the text that `-m` gives, or standard input: for “-” always, else unless it is a terminal. */
export async function contentFrom(
  {message, word}: {readonly message: string | undefined; readonly word: string | undefined},
  io: CliIo,
): Promise<string> {
  if (word !== undefined && word !== '-') {
    throw new UsageError(`Unexpected argument “${word}”. Give the text with -m, or “-” for standard input.`);
  }
  if (message !== undefined) {
    if (word === '-') throw new UsageError('Give the text with -m or on standard input, not both.');
    return message;
  }
  if (word !== '-' && io.inputIsTty) {
    throw new UsageError('No message text. Give it with -m, or pipe it in.');
  }
  return readStdin(io);
}
