import type {KeyValueStore} from '#state/account-store.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {decode, type Infer, int, ints, object, s} from '#wire/schema.ts';

const noteName = 'cli.places';
const mostKept = 200;

const placeSchema = object({
  title: s.string(),
  conversation: s.union([
    s.object({kind: s.literal('topic'), channelId: int, topic: s.string()}),
    s.object({kind: s.literal('direct'), userIds: ints}),
  ]),
});
const placesSchema = s.record(s.string(), placeSchema);

export interface KnownDestination {
  readonly conversation: Conversation;
  /** As it was called then. */
  readonly title: string;
}

/** Where messages went before, by how it was written: a script that always writes to the same place needs no server to know it. */
export class KnownDestinations {
  readonly #notes: KeyValueStore;

  constructor(notes: KeyValueStore) {
    this.#notes = notes;
  }

  find(to: readonly string[], topic: string | undefined): KnownDestination | undefined {
    return this.#all()[keyOf(to, topic)];
  }

  /** What a conversation was called when it was last written to. */
  titleOf(conversation: Conversation): string | undefined {
    const key = conversationKey(conversation);
    return Object.values(this.#all()).findLast((place) => conversationKey(place.conversation) === key)?.title;
  }

  remember(to: readonly string[], topic: string | undefined, place: KnownDestination): void {
    const key = keyOf(to, topic);
    const {[key]: before, ...others} = this.#all();
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(place)) return;
    const newest = Object.entries(others).slice(-mostKept + 1);
    this.#notes.set(noteName, JSON.stringify(Object.fromEntries([...newest, [key, place]])));
  }

  #all(): Infer<typeof placesSchema> {
    try {
      const decoded = decode(placesSchema, JSON.parse(this.#notes.get(noteName) ?? '{}'));
      return decoded.ok ? decoded.value : {};
    } catch {
      return {};
    }
  }
}

function keyOf(to: readonly string[], topic: string | undefined): string {
  return JSON.stringify([to.map((text) => text.trim()), topic?.trim() ?? null]);
}
