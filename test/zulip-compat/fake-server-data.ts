import {direct, message} from './events.ts';
import {type Json, selfId} from './people.ts';
import {firstId} from './register.ts';

/** The data of the fake server: messages with gaps between their ids, and drafts. */
export class FakeServerData {
  readonly level: number;
  readonly messages = new Map<number, Json & {flags: string[]}>();
  readonly drafts = new Map<number, Json>();
  #nextId = firstId + 600_000;
  #nextDraft = 50;

  constructor(level: number) {
    this.level = level;
    for (let i = 0; i < 5; i++) this.add(message(level, this.newId(), {content: `old ${i}`}), ['read']);
    this.add(direct(level, this.newId(), [selfId, 11], {content: 'psst'}), []);
  }

  /** Returns a new message id. All organizations of a server share ids, so there are gaps. */
  newId(): number {
    this.#nextId += 7919;
    return this.#nextId;
  }

  add(body: Json, flags: string[]): Json & {flags: string[]} {
    const message = {...body, flags};
    this.messages.set(Number(body.id), message);
    return message;
  }

  /** Returns the message of a send request. */
  sent(params: URLSearchParams): Json {
    const to = JSON.parse(params.get('to') ?? 'null');
    const content = (params.get('content') ?? '').trim();
    const common = {
      content,
      sender_id: selfId,
      sender_full_name: 'Meg Hall',
      client: 'Parley',
      reactions: [],
    };
    if (Array.isArray(to)) return direct(this.level, this.newId(), [...new Set([...to, selfId])], common);
    return message(this.level, this.newId(), {
      ...common,
      stream_id: to,
      subject: params.get('topic') ?? '',
      topic_links: [],
    });
  }

  /** Returns a page of messages. Before level 155 the anchor is always included. */
  page(params: URLSearchParams): Json {
    const all = [...this.messages.values()]
      .filter((message) => matchesNarrow(message, JSON.parse(params.get('narrow') ?? '[]')))
      .sort((a, b) => Number(a.id) - Number(b.id));
    const word = params.get('anchor') ?? 'newest';
    const unread = all.find(({flags}) => !flags.includes('read'));
    const nowhere = 10_000_000_000_000_000;
    const anchor =
      word === 'oldest'
        ? 0
        : word === 'newest'
          ? nowhere
          : word === 'first_unread'
            ? Number(unread?.id ?? nowhere)
            : Number(word);
    const withAnchor = this.level < 155 || params.get('include_anchor') !== 'false';
    const [before, after] = ['num_before', 'num_after'].map((name) => Number(params.get(name) ?? 0));
    const older = all.filter(({id}) => Number(id) < anchor);
    const newer = all.filter(({id}) => Number(id) > anchor);
    const shownBefore = older.slice(Math.max(0, older.length - (before ?? 0)));
    const shownAfter = newer.slice(0, after);
    const at = withAnchor ? all.filter(({id}) => id === anchor) : [];
    return {
      messages: [...shownBefore, ...at, ...shownAfter],
      anchor,
      found_anchor: at.length > 0,
      found_oldest: shownBefore.length === older.length,
      found_newest: word === 'newest' || shownAfter.length === newer.length,
      history_limited: false,
    };
  }

  saveDraft(id: number | undefined, draft: Json): number {
    const key = id ?? this.#nextDraft++;
    this.drafts.set(key, {timestamp: 1_700_000_000, ...draft, id: key});
    return key;
  }
}

interface Term {
  readonly operator: string;
  readonly operand: unknown;
}

/** Returns whether a message matches a narrow; supports the few terms of the tests, also by legacy names. */
function matchesNarrow(message: Json, narrow: readonly Term[]): boolean {
  return narrow.every(({operator, operand}) => {
    switch (operator) {
      case 'channel':
      case 'stream':
        return message.stream_id === operand;
      case 'topic':
        return String(message.subject).toLowerCase() === String(operand).toLowerCase();
      case 'sender':
        return message.sender_id === operand;
      case 'dm':
      case 'pm-with':
        return message.type === 'private';
      default:
        throw new Error(`The foreign server knows no ${operator}`);
    }
  });
}
