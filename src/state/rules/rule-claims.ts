import type {KeyValueStore} from '#state/account-store.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';

/**
 * The messages that rules have acted on, in the account's store, which all programs of an account on a machine share: all up to
 * `floor`, and `later` ones. Events of messages need not arrive in the order of their ids.
 */
interface Handled {
  readonly floor: number;
  readonly later: readonly number[];
}

const handledKey = 'rules.handled';
const maxLater = 500;

/** Records that rules begin with the messages after `newestId`, unless they have begun. */
export function beginRules(store: KeyValueStore, newestId: number): void {
  if (readHandled(store.get(handledKey)) !== undefined) return;
  store.set(handledKey, JSON.stringify({floor: newestId, later: []} satisfies Handled));
}

/** Forgets which messages were handled, because there are no rules any more: later ones begin with the messages after them. */
export function endRules(store: KeyValueStore): void {
  if (store.get(handledKey) !== undefined) store.remove(handledKey);
}

/** Returns those of the messages that no program has handled. */
export function unhandled(store: KeyValueStore, ids: Iterable<number>): number[] {
  return freshIds(readHandled(store.get(handledKey)), ids);
}

/**
 * Records that this program handles the messages, and returns those that no other program handles. With `upTo`, no message
 * up to that one is handled later.
 */
export function claimMessages(store: KeyValueStore, ids: readonly number[], upTo = 0): readonly number[] {
  for (;;) {
    const before = store.get(handledKey);
    const handled = readHandled(before);
    if (handled === undefined) return [];
    const fresh = freshIds(handled, ids);
    const later = [...handled.later, ...fresh].filter((id) => id > upTo).sort((a, b) => a - b);
    const dropped = later.splice(0, Math.max(0, later.length - maxLater));
    const floor = Math.max(handled.floor, upTo, dropped.at(-1) ?? 0);
    const after = JSON.stringify({floor, later} satisfies Handled);
    if (after === before || store.replace(handledKey, before, after)) return fresh;
  }
}

function freshIds(handled: Handled | undefined, ids: Iterable<number>): number[] {
  if (handled === undefined) return [];
  const {floor, later} = handled;
  const known = new Set(later);
  return [...ids].filter((id) => id > floor && !known.has(id));
}

/** Returns undefined for a value that is missing or damaged: rules begin anew then. */
function readHandled(json = 'null'): Handled | undefined {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value.floor !== 'number' || !Array.isArray(value.later)) return undefined;
  return {floor: value.floor, later: value.later.filter((id) => typeof id === 'number')};
}
