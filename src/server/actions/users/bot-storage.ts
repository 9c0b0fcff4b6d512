import type {RequestContext} from '#server/context.ts';
import {badRequest, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const botStorageRoutes: readonly Route[] = [
  route(otherEndpoints.getBotStorage, 'bot', (call, {keys}) => {
    const values = storedValues(call);
    const entries = keys === undefined ? values : keys.map((key) => [key, requireValue(values, key)] as const);
    return {storage: Object.fromEntries(entries)};
  }),
  route(otherEndpoints.updateBotStorage, 'bot', (call, {storage: changes}) => {
    const values = new Map([...storedValues(call), ...Object.entries(changes)]);
    const excess = [...values].reduce((size, [key, value]) => size + length(key) + length(value), -maxSize);
    if (excess > 0) {
      throw badRequest(`Request exceeds storage limit by ${excess} characters. The limit is ${maxSize} characters.`);
    }
    for (const [key, value] of Object.entries(changes)) {
      call.db.replaceRow('bot_storage', {user_id: call.actor.id, key, value});
    }
  }),
  route(otherEndpoints.removeBotStorage, 'bot', (call, {keys}) => {
    const values = storedValues(call);
    for (const key of keys ?? values.keys()) {
      requireValue(values, key);
      call.db.deleteRows('bot_storage', {user_id: call.actor.id, key});
    }
  }),
];

/** The most characters of keys and values together that one bot may store. */
const maxSize = 10_000_000;

function storedValues({db, actor}: RequestContext): Map<string, string> {
  const rows = db.all<{key: string; value: string}>('SELECT key, value FROM bot_storage WHERE user_id = ?', actor.id);
  return new Map(rows.map(({key, value}) => [key, value]));
}

function requireValue(values: ReadonlyMap<string, string>, key: string): string {
  return required(values.get(key), 'Key does not exist.');
}

function length(text: string): number {
  return Array.from(text).length;
}
