import type {UserRow} from '#server/db/rows.ts';
import type {ScriptConversation} from './chat-script.ts';
import type {PlannedMessage} from './planned-messages.ts';

/** Who receives a conversation's messages. */
export type AudienceByConversation = ReadonlyMap<ScriptConversation, ReadonlySet<number>>;

/** Message ids that each person has not read. */
export type UnreadByUser = ReadonlyMap<number, ReadonlySet<number>>;

const fewestConversations = 3;
const mostMessages = 4;

/** Yours as the scripts say; other people's so that another terminal signed in as one of them looks alive too. */
export function planUnreadMessages(
  planned: readonly PlannedMessage[],
  people: {
    readonly you: UserRow;
    readonly others: readonly UserRow[];
    /** Senders whose messages you never see. */
    readonly mutedByYou: ReadonlySet<string>;
    readonly keyOf: ReadonlyMap<number, string>;
  },
  audiences: AudienceByConversation,
): UnreadByUser {
  const conversations = Map.groupBy(planned, ({conversation}) => conversation);
  const unread = new Map<number, ReadonlySet<number>>();
  unread.set(people.you.id, yours(conversations, people.keyOf.get(people.you.id) ?? '', people.mutedByYou));
  for (const [index, person] of people.others.entries()) {
    const key = people.keyOf.get(person.id) ?? '';
    const received = [...conversations].filter(([conversation]) =>
      audiences.get(conversation)?.has(person.id),
    );
    unread.set(person.id, theirs(received, key, fewestConversations + (index % 3)));
  }
  return unread;
}

function yours(
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

/** The ends of the newest conversations: whoever spoke has read everything before. */
function theirs(
  received: readonly (readonly [ScriptConversation, readonly PlannedMessage[]])[],
  person: string,
  conversations: number,
): Set<number> {
  return new Set(
    received
      .map(([, messages]) => {
        const spoke = messages.findLastIndex(({message}) => message.sender === person);
        return messages.slice(Math.max(spoke + 1, messages.length - mostMessages));
      })
      .filter((tail) => tail.length > 0)
      .sort((a, b) => (b.at(-1)?.id ?? 0) - (a.at(-1)?.id ?? 0))
      .slice(0, conversations)
      .flatMap((tail) => tail.map(({id}) => id)),
  );
}
