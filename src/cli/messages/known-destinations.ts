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
 * Returns the conversations that “parley send” was used for, by the `--to` and `--topic` that named them: repeated sends to
 * one conversation need no request to resolve it.
 */
function knownDestinations(store: KeyValueStore): Infer<typeof destinationsSchema> {
  try {
    const decoded = decode(destinationsSchema, JSON.parse(store.get(storeKey) ?? '{}'));
    return decoded.ok ? decoded.value : {};
  } catch {
    return {};
  }
}

export function findDestination(
  store: KeyValueStore,
  to: readonly string[],
  topic: string | undefined,
): KnownDestination | undefined {
  return knownDestinations(store)[keyOf(to, topic)];
}

/** Returns the conversation's title when it was last used. */
export function lastTitleOf(store: KeyValueStore, conversation: Conversation): string | undefined {
  const key = conversationKey(conversation);
  return Object.values(knownDestinations(store)).findLast((each) => conversationKey(each.conversation) === key)?.title;
}

export function rememberDestination(
  store: KeyValueStore,
  to: readonly string[],
  topic: string | undefined,
  destination: KnownDestination,
): void {
  const key = keyOf(to, topic);
  const {[key]: previous, ...others} = knownDestinations(store);
  if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(destination)) return;
  const newest = Object.entries(others).slice(-maxSaved + 1);
  store.set(storeKey, JSON.stringify(Object.fromEntries([...newest, [key, destination]])));
}

function keyOf(to: readonly string[], topic: string | undefined): string {
  return JSON.stringify([to.map((text) => text.trim()), topic?.trim() ?? null]);
}
