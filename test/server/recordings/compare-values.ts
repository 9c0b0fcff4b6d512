import {absent, type ComparisonContext} from './difference.ts';
import {kindOf, shown, sortedJson} from './json-text.ts';
import {pairItems} from './pair-items.ts';
import {comparePlaceholder, hasPlaceholder} from './placeholders.ts';
import type {Json, JsonObject} from './recording.ts';
import {kindOfSymbol, symbolName} from './symbols.ts';

/** The lists whose order has no meaning. Lists of ids have none either, except those of messages. */
const unorderedLists: ReadonlySet<string> = new Set([
  ...['realm_users', 'members', 'realm_non_active_users', 'cross_realm_bots', 'realm_bots', 'bots', 'muted_users'],
  ...['realm_user_groups', 'user_groups', 'subscriptions', 'unsubscribed', 'never_subscribed', 'streams', 'channels'],
  ...['user_topics', 'topics_muted', 'channel_folders', 'display_recipient', 'recipients', 'reactions', 'flags'],
  ...['navigation_views', 'attachments', 'saved_snippets', 'invites', 'stop_words', 'update_message_flags'],
  ...['fields', 'custom_fields', 'custom_profile_fields', 'ignored_parameters_unsupported', 'allowed_methods'],
]);

/** Compares a value with the recorded one and reports every difference. `key` is the name of the field or list. */
export function compareValues(
  context: ComparisonContext,
  expected: Json,
  actual: Json,
  {at, key = ''}: {readonly at: string; readonly key?: string},
): void {
  if (hasPlaceholder(expected)) comparePlaceholder(context, expected, actual, at);
  else if (kindOf(expected) !== kindOf(actual)) {
    const [real, here] = [expected, actual].map((value) => `${kindOf(value)}: ${shown(value)}`);
    context.report({class: 'type', at, real: `${real}`, here: `${here}`});
  } else if (isList(expected) && isList(actual)) compareLists(context, expected, actual, {at: `${at}[]`, key});
  else if (isObject(expected) && isObject(actual)) compareObjects(context, expected, actual, at);
  else if (expected !== actual) context.report({class: 'value', at, real: shown(expected), here: shown(actual)});
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return kindOf(value) === 'object';
}

function compareObjects(context: ComparisonContext, expected: JsonObject, actual: JsonObject, at: string): void {
  const keys = pairKeys(context, expected, actual);
  for (const [key, value] of Object.entries(expected)) {
    if (!keys.has(key)) context.report({class: 'key_missing', at: `${at}.${key}`, real: shown(value), here: absent});
  }
  const paired = new Set(keys.values());
  for (const [key, value] of Object.entries(actual)) {
    if (!paired.has(key)) context.report({class: 'key_extra', at: `${at}.${key}`, real: absent, here: shown(value)});
  }
  for (const [key, actualKey] of keys) {
    compareValues(context, expected[key] ?? null, actual[actualKey] ?? null, {at: `${at}.${key}`, key});
  }
}

/** Returns the key of the actual object for each recorded one. A key may be an id; a new one is the lowest unknown id. */
function pairKeys({symbols}: ComparisonContext, expected: JsonObject, actual: JsonObject): Map<string, string> {
  const left = new Set(Object.keys(actual));
  const pairs = new Map<string, string>();
  const unbound: string[] = [];
  for (const key of Object.keys(expected)) {
    const name = symbolName(key);
    const actualKey = name === undefined ? key : String(symbols.get(name) ?? '');
    if (left.delete(actualKey)) pairs.set(key, actualKey);
    else if (name !== undefined && symbols.get(name) === undefined) unbound.push(name);
  }
  for (const name of unbound) {
    const isNew = (key: string) => /^\d+$/.test(key) && symbols.nameOf(kindOfSymbol(name), Number(key)) === undefined;
    const [lowest] = [...left].filter(isNew).sort((a, b) => Number(a) - Number(b));
    if (lowest === undefined) continue;
    left.delete(lowest);
    pairs.set(`$${name}$`, lowest);
    symbols.bind(name, Number(lowest));
  }
  return new Map(Object.keys(expected).flatMap((key) => (pairs.has(key) ? [[key, pairs.get(key) ?? '']] : [])));
}

interface ListPlace {
  readonly at: string;
  readonly key: string;
}

function compareLists(
  context: ComparisonContext,
  expected: readonly Json[],
  actual: readonly Json[],
  {at, key}: ListPlace,
): void {
  const names = expected.flatMap((item) => symbolName(item) ?? []);
  const isIds = expected.length > 0 && names.length === expected.length && actual.every(Number.isInteger);
  if (isIds) {
    compareIds(context, names, actual, {at, key});
    return;
  }
  const pairs = pairItems(context.symbols, expected.filter(isObject), actual.filter(isObject));
  if (pairs !== undefined && expected.every(isObject) && actual.every(isObject)) {
    for (const item of pairs.missing) context.report({class: 'item_missing', at, real: shown(item), here: absent});
    for (const item of pairs.extra) context.report({class: 'item_extra', at, real: absent, here: shown(item)});
    if (!pairs.isInOrder && !unorderedLists.has(key)) {
      context.report({
        class: 'order',
        at,
        real: shown(pairs.identities.expected),
        here: shown(pairs.identities.actual),
      });
    }
    for (const [item, other] of pairs.items) compareValues(context, item, other, {at});
    return;
  }
  const [items, others] = unorderedLists.has(key) ? [sortedByText(expected), sortedByText(actual)] : [expected, actual];
  if (items.length !== others.length) {
    const [real, here] = [items, others].map((list) => `${list.length}: ${shown(list)}`);
    context.report({class: 'length', at, real: `${real}`, here: `${here}`});
  }
  for (const [index, item] of items.slice(0, others.length).entries()) {
    compareValues(context, item, others[index] ?? null, {at, key});
  }
}

function sortedByText(list: readonly Json[]): readonly Json[] {
  return list
    .map((item) => ({item, text: sortedJson(item)}))
    .sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({item}) => item);
}

/** Compares a list of ids, given as names of symbols. New symbols get the unknown ids in ascending order. */
function compareIds(
  {symbols, report}: ComparisonContext,
  names: readonly string[],
  actual: readonly Json[],
  {at, key}: ListPlace,
): void {
  const kind = kindOfSymbol(names[0] ?? '');
  const left = [...actual];
  const unbound = names.filter((name) => symbols.get(name) === undefined);
  const missing = names.filter((name) => {
    const index = left.indexOf(symbols.get(name) ?? null);
    if (index >= 0) left.splice(index, 1);
    return index < 0 && !unbound.includes(name);
  });
  const free = left.filter((id) => symbols.nameOf(kind, id) === undefined).sort((a, b) => Number(a) - Number(b));
  for (const [index, name] of unbound.entries()) {
    const id = free[index];
    if (id === undefined) missing.push(name);
    else {
      symbols.bind(name, id);
      left.splice(left.indexOf(id), 1);
    }
  }
  for (const name of missing) report({class: 'item_missing', at, real: `$${name}$`, here: absent});
  for (const id of left) {
    report({class: 'item_extra', at, real: absent, here: `$${symbols.nameOf(kind, id) ?? id}$`});
  }
  const isInOrder = names.every((name, index) => symbols.get(name) === actual[index]);
  if (left.length === 0 && key.includes('message') && !isInOrder) {
    report({class: 'order', at, real: shown(names.map((name) => `$${name}$`)), here: shown(actual)});
  }
}
