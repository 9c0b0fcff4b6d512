import type {Api} from '#api/api.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export interface ListedMessage {
  readonly message: Message;
  readonly isUnread: boolean;
}

export interface FetchedMessages {
  /** Oldest first. */
  readonly messages: readonly ListedMessage[];
  /** There are more in the direction that was asked for. */
  readonly hasMore: boolean;
}

/** Where to look, and how far. */
export type MessageRange =
  | {readonly kind: 'last'; readonly count: number; readonly before?: number | undefined}
  | {readonly kind: 'around'; readonly count: number; readonly id: number}
  /** From the oldest on, or from a moment (milliseconds since the epoch). */
  | {readonly kind: 'from'; readonly count: number; readonly since?: number | undefined};

type MessagesQuery = ArgsOf<Endpoints['getMessages']>;

const pageSize = 1000;

export async function fetchMessages(
  api: Api,
  selfId: number,
  narrow: Narrow,
  stretch: MessageRange,
): Promise<FetchedMessages> {
  const ask = async (question: MessagesQuery) => {
    const where = {narrow: wireNarrow(narrow, selfId), apply_markdown: false, client_gravatar: true};
    const answer = await api.getMessages({...where, ...question});
    const messages = answer.messages.map((wire): ListedMessage => {
      const flags = wire.flags.filter((flag) => flag !== 'read');
      return {message: messageFromWire(wire, flags, selfId), isUnread: flags.length === wire.flags.length};
    });
    return {messages, foundOldest: answer.found_oldest ?? true, foundNewest: answer.found_newest ?? true};
  };
  switch (stretch.kind) {
    case 'last': {
      const {count, before} = stretch;
      const anchor = before === undefined ? {anchor: 'newest' as const} : beforeAnchor(before);
      const {messages, foundOldest} = await ask({...anchor, num_before: count, num_after: 0});
      return {messages: messages.slice(-count), hasMore: !foundOldest};
    }
    case 'around': {
      const {count, id} = stretch;
      const half = Math.floor((count - 1) / 2);
      const {messages} = await ask({anchor: id, num_before: half, num_after: count - 1 - half});
      return {messages, hasMore: false};
    }
    case 'from':
      return forward(ask, stretch);
  }
}

function beforeAnchor(id: number) {
  return {anchor: id, include_anchor: false};
}

async function forward(
  ask: (question: MessagesQuery) => Promise<{messages: readonly ListedMessage[]; foundNewest: boolean}>,
  {count, since}: Extract<MessageRange, {kind: 'from'}>,
): Promise<FetchedMessages> {
  const found: ListedMessage[] = [];
  let start: MessagesQuery =
    since === undefined ? {anchor: 'oldest'} : {anchor: 'date', anchor_date: new Date(since).toISOString()};
  for (;;) {
    // One more than is wanted tells whether there are more.
    const wanted = Math.min(pageSize, count + 1 - found.length);
    const {messages, foundNewest} = await ask({...start, num_before: 0, num_after: wanted});
    const oldest = (since ?? 0) / 1000;
    const known = found.at(-1)?.message.id ?? 0;
    found.push(
      ...messages.filter(({message: {id, timestamp}}) => id > known && timestamp >= Math.floor(oldest)),
    );
    const last = messages.at(-1);
    if (found.length > count) return {messages: found.slice(0, count), hasMore: true};
    if (foundNewest || last === undefined) return {messages: found, hasMore: false};
    start = {anchor: last.message.id, include_anchor: false};
  }
}
