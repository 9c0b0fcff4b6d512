import type {UserRow} from '#server/db/rows.ts';
import type {ScriptConversation, ScriptMessage} from './chat-script.ts';
import {parsePastTime} from './placeholders.ts';
import {DemoDataError, withSourcePosition} from './world-file.ts';

/** The ids of the users who receive each conversation's messages. */
type AudienceByConversation = ReadonlyMap<ScriptConversation, ReadonlySet<number>>;

/** The ids of each user's unread messages. */
export type UnreadByUser = ReadonlyMap<number, ReadonlySet<number>>;

const minConversations = 3;
const maxMessages = 4;

/**
 * Chooses unread messages: for `you` as the scripts say; for others a few, so that signing in as them shows some too.
 */
export function planUnreadMessages(
  planned: readonly PlannedMessage[],
  people: {
    readonly you: UserRow;
    readonly others: readonly UserRow[];
    /** The keys of senders whose messages `you` muted. */
    readonly mutedByYou: ReadonlySet<string>;
    readonly keyOf: ReadonlyMap<number, string>;
  },
  audiences: AudienceByConversation,
): UnreadByUser {
  const conversations = Map.groupBy(planned, ({conversation}) => conversation);
  const unread = new Map<number, ReadonlySet<number>>();
  unread.set(people.you.id, yourUnread(conversations, people.keyOf.get(people.you.id) ?? '', people.mutedByYou));
  for (const [index, person] of people.others.entries()) {
    const key = people.keyOf.get(person.id) ?? '';
    const received = [...conversations].filter(([conversation]) => audiences.get(conversation)?.has(person.id));
    unread.set(person.id, othersUnread(received, key, minConversations + (index % 3)));
  }
  return unread;
}

function yourUnread(
  conversations: ReadonlyMap<ScriptConversation, readonly PlannedMessage[]>,
  you: string,
  muted: ReadonlySet<string>,
): Set<number> {
  const ids = new Set<number>();
  for (const [{unread}, messages] of conversations) {
    for (const {id, message} of unread === 0 ? [] : messages.slice(-unread)) {
      if (message.sender !== you && !muted.has(message.sender)) ids.add(id);
    }
  }
  return ids;
}

/** Returns the last messages of the newest conversations. A person has read everything before their own message. */
function othersUnread(
  received: readonly (readonly [ScriptConversation, readonly PlannedMessage[]])[],
  person: string,
  conversations: number,
): Set<number> {
  return new Set(
    received
      .map(([, messages]) => {
        const spoke = messages.findLastIndex(({message}) => message.sender === person);
        return messages.slice(Math.max(spoke + 1, messages.length - maxMessages));
      })
      .filter((tail) => tail.length > 0)
      .sort((a, b) => (b.at(-1)?.id ?? 0) - (a.at(-1)?.id ?? 0))
      .slice(0, conversations)
      .flatMap((tail) => tail.map(({id}) => id)),
  );
}

/** A message of a script with its id and the time it is sent. */
export interface PlannedMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly conversation: ScriptConversation;
  readonly message: ScriptMessage;
}

/** Returns all messages in the order of time (then of files and lines), with ids in that order. */
export function planMessages(
  conversations: readonly ScriptConversation[],
  now: number,
  firstId: number,
): PlannedMessage[] {
  const all = conversations.flatMap((conversation) => timed(conversation, now));
  // Sorting is stable, so messages of equal time stay in the order of the data.
  all.sort((a, b) => a.sentAt - b.sentAt);
  return all.map((entry, index) => ({...entry, id: firstId + index}));
}

function timed(conversation: ScriptConversation, now: number): Omit<PlannedMessage, 'id'>[] {
  let previous: number | undefined;
  return conversation.messages.map((message) => {
    const at = withSourcePosition(message.source, () =>
      parsePastTime(message.time ?? conversation.start, now, previous),
    );
    if (at > now) throw new DemoDataError(message.source, 'the message is in the future');
    if (previous !== undefined && at < previous) {
      throw new DemoDataError(message.source, 'the message is older than the one before it');
    }
    previous = at;
    return {sentAt: Math.floor(at / 1000), conversation, message};
  });
}
