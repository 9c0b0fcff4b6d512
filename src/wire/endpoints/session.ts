import {endpoint, fallback, flag, number, optional, text} from '#wire/endpoint.ts';
import {rawEvents} from '#wire/events/event-schema.ts';
import {serverSettings} from '#wire/objects/server-settings.ts';
import {registerParams, snapshot} from '#wire/register.ts';
import {int, object, s} from '#wire/schema.ts';

export const getServerSettings = endpoint('server.settings', 'GET /server_settings', {
  auth: 'none',
  result: serverSettings,
});

const apiKey = object({api_key: s.string(), email: s.string()}, {user_id: int});

export const fetchApiKey = endpoint('key.fetch', 'POST /fetch_api_key', {
  auth: 'none',
  params: {username: text, password: text},
  result: apiKey,
});

/** Development servers only. */
export const devFetchApiKey = endpoint('key.dev-fetch', 'POST /dev_fetch_api_key', {
  auth: 'none',
  params: {username: text},
  result: apiKey,
});

const devUser = object({email: s.string()}, {realm_url: s.string(), realm_uri: s.string()});

/** Development servers only. */
export const devListUsers = endpoint('key.dev-list', 'GET /dev_list_users', {
  auth: 'none',
  result: object({direct_admins: s.array(devUser), direct_users: s.array(devUser)}),
});

export const regenerateApiKey = endpoint('key.regenerate', 'POST /users/me/api_key/regenerate', {
  result: object({api_key: s.string()}),
});

export const register = endpoint('queue.register', 'POST /register', {
  auth: 'optional',
  params: registerParams,
  result: snapshot,
});

/** Polls for events. Both ids are required, but optional here because a missing one has its own error code. */
export const getEvents = endpoint('queue.poll', 'GET /events', {
  params: {queue_id: optional(text), last_event_id: optional(number), dont_block: fallback(flag, false)},
  result: object({events: rawEvents}, {queue_id: s.string(), idle_queue_timeout_secs: int}),
});

export const deleteQueue = endpoint('queue.delete', 'DELETE /events', {params: {queue_id: text}});
