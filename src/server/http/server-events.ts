import type {IncomingMessage} from 'node:http';
import type {ApiError} from '#server/errors.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {devFetchApiKey, fetchApiKey} from '#wire/endpoints/session.ts';
import {clientNetwork} from './request-address.ts';

/** What the log of the server has a line for. It has no texts of people: neither messages nor topics nor passwords. */
export interface ServerEvent {
  readonly event: 'start' | 'end' | 'login' | 'join' | 'password' | 'administration' | 'refusal';
  /** The method and path, with ids but without other parameters; a command of the operator; or the address of the server. */
  readonly request: string;
  readonly user?: number | undefined;
  /** The account that a request without valid credentials claimed to be. */
  readonly claimed?: number | undefined;
  /** The address of the client, or its network. */
  readonly address?: string;
  readonly status?: number;
  readonly code?: string;
  /** How many equal events followed the first one. */
  readonly repeated?: number;
  /** The version of the program that starts. */
  readonly version?: string;
  /** The signal that ends the server. */
  readonly signal?: string | undefined;
}

const logins: ReadonlySet<string> = new Set([fetchApiKey.id, devFetchApiKey.id]);

/** The paths of what administrators and people with their permissions change. */
const administration =
  /^\/(realm|users$|users\/\{(user_id|email)\}|bots|user_groups|streams\/|channels\/|channel_folders|invites|default_stream|export)/;

/** Returns what kind of event a request to the endpoint is when it succeeds; undefined if it is not logged. */
export function eventOf({
  id,
  method,
  path,
}: Pick<Endpoint, 'id' | 'method' | 'path'>): ServerEvent['event'] | undefined {
  if (logins.has(id)) return 'login';
  return method !== 'GET' && administration.test(path) ? 'administration' : undefined;
}

type Origin = Pick<ServerEvent, 'request' | 'address'>;

/** Returns where a request came from. `path` is that of the route: of its parameters, only numbers are named. */
export function originOf(
  request: IncomingMessage,
  path: string,
  params: Readonly<Record<string, string | undefined>>,
  trustsProxy: boolean,
): Origin {
  const named = path.replaceAll(/\{(\w+)\}/g, (text, name) =>
    /^\d+$/.test(params[name] ?? '') ? `${params[name]}` : text,
  );
  return {request: `${request.method} ${named}`, address: clientNetwork(request, trustsProxy)};
}

/** Event queues expire while a client sleeps: that is no refusal. */
const expectedCodes: ReadonlySet<string> = new Set(['BAD_EVENT_QUEUE_ID', 'SERVER_STOPPING']);

export function refusalEvent(
  origin: Origin,
  {status, code}: ApiError,
  account: Pick<ServerEvent, 'user' | 'claimed'>,
): ServerEvent | undefined {
  return expectedCodes.has(code) ? undefined : {event: 'refusal', ...origin, ...account, status, code};
}
