import type {ClientCapabilities} from '#wire/register.ts';
import type {EventQueue} from './event-queue.ts';

/** The fields of an event beside `id` and `type`. */
export type EventBody = Readonly<Record<string, unknown>>;

/**
 * One event and who it is for. Actions make these; the runner delivers them after the commit.
 *
 * A body that depends on the reader is a function of the reader's queue. Return the *same object* for readers who
 * see the same thing: each distinct object is turned into JSON once, which is what makes a message to two hundred
 * people cheap.
 */
export interface EmittedEvent {
  readonly type: string;
  readonly to: 'everyone' | Iterable<number>;
  readonly body: EventBody | ((reader: EventQueue) => EventBody | readonly EventBody[] | undefined);
}

/** A body that has one shape for queues with a capability and another for those without; each is made once. */
export function byCapability(
  capability: keyof ClientCapabilities,
  modern: () => EventBody | readonly EventBody[] | undefined,
  legacy: () => EventBody | readonly EventBody[] | undefined,
): (reader: EventQueue) => EventBody | readonly EventBody[] | undefined {
  const once = {modern: memo(modern), legacy: memo(legacy)};
  return (reader) => (reader.options.capabilities[capability] === true ? once.modern() : once.legacy());
}

function memo<T>(make: () => T): () => T {
  let made: {value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}
