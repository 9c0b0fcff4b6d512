import {once} from '#std/once.ts';
import type {ClientCapabilities} from '#wire/register.ts';
import type {EventQueue} from './event-queue.ts';

/** The fields of an event beside `id` and `type`. */
export type EventBody = Readonly<Record<string, unknown>>;

/**
 * One event and its recipients. Actions emit these; `runAction` delivers them after the commit.
 *
 * A body that depends on the recipient is a function of the recipient's queue. It should return the *same object* for
 * recipients who see the same thing: each distinct object is serialized once, which keeps a message to two hundred
 * users cheap.
 */
export interface EmittedEvent {
  readonly type: string;
  readonly to: 'everyone' | Iterable<number>;
  readonly body: EventBody | ((reader: EventQueue) => EventBody | readonly EventBody[] | undefined);
}

/** Returns a body with one shape for queues with a capability and another for those without; each is cached once. */
export function byCapability(
  capability: keyof ClientCapabilities,
  modern: () => EventBody | readonly EventBody[] | undefined,
  legacy: () => EventBody | readonly EventBody[] | undefined,
): (reader: EventQueue) => EventBody | readonly EventBody[] | undefined {
  const modernBody = once(modern);
  const legacyBody = once(legacy);
  return (reader) => (reader.options.capabilities[capability] === true ? modernBody() : legacyBody());
}
