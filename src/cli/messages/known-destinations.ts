import type {KeyValueStore} from '#state/account-store.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {decode, type Infer, int, ints, object, s} from '#wire/schema.ts';

const storeKey = 'cli.places';
const maxSaved = 200;

const destinationSchema = object({
  title: s.string(),
  conversation: s.union([
    s.object({kind: s.literal('topic'), channelId: int, topic: s.string()}),
    s.object({kind: s.literal('direct'), userIds: ints}),
  ]),
});
const destinationsSchema = s.record(s.string(), destinationSchema);

export interface KnownDestination {
  readonly conversation: Conversation;
  /** The conversation's title when it was last used. */
  readonly title: string;
}

/**
 * The conversations that “parley send” was used for, by the `--to` and `--topic` that named them: repeated
 * sends to one conversation need no request to resolve it.
 */
export class KnownDestinations {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  find(to: readonly string[], topic: string | undefined): KnownDestination | undefined {
    return this.#all()[keyOf(to, topic)];
  }

  /** Returns the conversation's title when it was last used. */
  titleOf(conversation: Conversation): string | undefined {
    const key = conversationKey(conversation);
    return Object.values(this.#all()).findLast((destination) => conversationKey(destination.conversation) === key)
      ?.title;
  }

  remember(to: readonly string[], topic: string | undefined, destination: KnownDestination): void {
    const key = keyOf(to, topic);
    const {[key]: previous, ...others} = this.#all();
    if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(destination)) return;
    const newest = Object.entries(others).slice(-maxSaved + 1);
    this.#store.set(storeKey, JSON.stringify(Object.fromEntries([...newest, [key, destination]])));
  }

  #all(): Infer<typeof destinationsSchema> {
    try {
      const decoded = decode(destinationsSchema, JSON.parse(this.#store.get(storeKey) ?? '{}'));
      return decoded.ok ? decoded.value : {};
    } catch {
      return {};
    }
  }
}

function keyOf(to: readonly string[], topic: string | undefined): string {
  return JSON.stringify([to.map((text) => text.trim()), topic?.trim() ?? null]);
}
