import {hasPlaceholder} from './placeholders.ts';
import type {Json, JsonObject} from './recording.ts';
import {type Symbols, symbolName} from './symbols.ts';

/** What identifies an object in a list: the first of these that every object has, and no two share. */
const identities: readonly (readonly string[])[] = [
  ['id'],
  ['emoji_name', 'user_id'],
  ['user_id'],
  ['stream_id', 'topic'],
  ['stream_id', 'topic_name'],
  ...['stream_id', 'group_id', 'fragment', 'email', 'name', 'other_user_id', 'user_ids_string', 'pattern'].map(only),
  ...['domain', 'title', 'scheduled_message_id', 'reminder_id', 'username', 'full_name'].map(only),
];

function only(field: string): readonly string[] {
  return [field];
}

interface ItemPairs {
  readonly items: readonly (readonly [expected: JsonObject, actual: JsonObject])[];
  readonly missing: readonly JsonObject[];
  readonly extra: readonly JsonObject[];
  readonly isInOrder: boolean;
  /** The identity of each item of both lists. */
  readonly identities: {readonly expected: Json; readonly actual: Json};
}

/** Pairs the objects of two lists by what identifies them; undefined if nothing does. */
export function pairItems(
  symbols: Symbols,
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
): ItemPairs | undefined {
  const identity = identityOf(expected, actual);
  if (identity === undefined) return undefined;
  const partners = new Map<number, number>();
  const left = new Set(actual.keys());
  // First the objects with known ids, then the new ones in the order of both lists.
  for (const allowed of [['same'], ['same', 'unknown']]) {
    for (const [index, item] of expected.entries()) {
      if (partners.has(index)) continue;
      const isPartner = (other: number) =>
        identity.every((field) => allowed.includes(sameness(symbols, item[field] ?? null, actual[other]?.[field])));
      const partner = [...left].find(isPartner);
      if (partner === undefined) continue;
      partners.set(index, partner);
      left.delete(partner);
    }
  }
  const order = [...expected.keys()].flatMap((index) => partners.get(index) ?? []);
  const identify = (list: readonly JsonObject[]) => list.map((item) => identity.map((field) => item[field] ?? null));
  return {
    items: expected.flatMap((item, index) => {
      const other = actual[partners.get(index) ?? -1];
      return other === undefined ? [] : [[item, other] as const];
    }),
    missing: expected.filter((_, index) => !partners.has(index)),
    extra: actual.filter((_, index) => left.has(index)),
    isInOrder: order.every((position, index) => index === 0 || position > (order[index - 1] ?? 0)),
    identities: {expected: identify(expected), actual: identify(actual)},
  };
}

function identityOf(expected: readonly JsonObject[], actual: readonly JsonObject[]): readonly string[] | undefined {
  if (expected.length === 0 || actual.length === 0) return undefined;
  return identities.find((fields) => {
    const isComplete = [...expected, ...actual].every((item) => fields.every((field) => field in item));
    const values = new Set(expected.map((item) => JSON.stringify(fields.map((field) => item[field]))));
    return isComplete && values.size === expected.length;
  });
}

function sameness(symbols: Symbols, expected: Json, actual: Json | undefined): 'same' | 'different' | 'unknown' {
  const name = symbolName(expected);
  if (name === undefined && hasPlaceholder(expected)) return 'unknown';
  const value = name === undefined ? expected : symbols.get(name);
  if (value === undefined) return 'unknown';
  return value === actual ? 'same' : 'different';
}
