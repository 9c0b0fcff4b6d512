import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {pipeline} from 'node:stream';
import findMyWay from 'find-my-way';
import type {World} from '#server/call.ts';
import type {UserRow} from '#server/db/rows.ts';
import {authenticate, checkCredentials, clientName, unauthorized} from './auth.ts';
import {readBody, readText} from './body.ts';
import {ApiError, rateLimitHit} from './errors.ts';
import {type Faults, strikeAfter, strikeBefore} from './faults.ts';
import {decodeParams} from './params.ts';
import type {RateLimit, Verdict} from './rate-limit.ts';
import {errorText, type Headers, internalError, sendJson, successText} from './reply.ts';
import type {JsonText, Route, Visit, WebRoute} from './route.ts';

export interface ListenerOptions {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly webRoutes: readonly WebRoute[];
  readonly limits: {readonly byUser: RateLimit; readonly byAddress: RateLimit} | undefined;
  readonly faults: Faults | undefined;
  readonly uploadLimit: number;
  readonly log: (line: string, error?: unknown) => void;
}

type Answer = Readonly<Record<string, unknown>> | JsonText;
type Handler = (request: IncomingMessage, response: ServerResponse, path: Path, url: URL) => Promise<void>;
type Path = Readonly<Record<string, string | undefined>>;

const apiPrefix = '/api/v1';
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** Everything between the socket and a route: routing, credentials, limits, parameters, transaction, reply. */
export function createListener(options: ListenerOptions): Server {
  const router = findMyWay({ignoreTrailingSlash: true, maxParamLength: 2000});
  const handlers = new Map<string, Handler>();
  const register = (method: (typeof methods)[number], path: string, handler: Handler) => {
    const key = `${method} ${path}`;
    handlers.set(key, handler);
    router.on(method, path, () => {}, key);
  };
  for (const route of options.routes) {
    if (route.endpoint.since > options.world.level) continue;
    register(route.endpoint.method, routerPath(route), apiHandler(options, route));
  }
  for (const route of options.webRoutes) register(route.method, route.path, webHandler(options, route));

  const server = createServer(
    {headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024},
    (request, response) => {
      const url = parseUrl(request);
      const method = request.method ?? 'GET';
      const found = url === undefined ? null : find(router, method, url.pathname);
      const handler = found === null ? undefined : handlers.get(String(found.store));
      if (url === undefined || found === null || handler === undefined) {
        // Unread bytes of a refused body would be taken for the next request.
        request.resume();
        refuse(request, response, url === undefined ? [] : allowedMethods(router, url.pathname));
        return;
      }
      handler(request, response, found.params, url).catch((error) => {
        options.log(`${method} ${url.pathname} failed`, error);
        sendJson(request, response, 500, errorText(internalError), {});
      });
    },
  );
  server.maxRequestsPerSocket = 0;
  return server;
}

function parseUrl(request: IncomingMessage): URL | undefined {
  return URL.canParse(request.url ?? '', 'http://localhost')
    ? new URL(request.url ?? '', 'http://localhost')
    : undefined;
}

function find(router: findMyWay.Instance<findMyWay.HTTPVersion.V1>, method: string, path: string) {
  const known = methods.find((candidate) => candidate === method);
  return known === undefined ? null : router.find(known, path);
}

function allowedMethods(router: findMyWay.Instance<findMyWay.HTTPVersion.V1>, path: string): string[] {
  return methods.filter((method) => router.find(method, path) !== null);
}

function refuse(request: IncomingMessage, response: ServerResponse, allowed: string[]): void {
  if (allowed.length === 0) {
    sendJson(
      request,
      response,
      404,
      JSON.stringify({result: 'error', msg: 'Not found', code: 'BAD_REQUEST'}),
      {},
    );
    return;
  }
  const body = {result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed};
  sendJson(request, response, 405, JSON.stringify(body), {allow: allowed.join(', ')});
}

/** `{user_id}` → find-my-way's `:user_id`; numbers match digits only, so that `/users/me` and e-mails go elsewhere. */
function routerPath({endpoint}: Route): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const spec = endpoint.params[name];
    if (spec?.rest === true) return '*';
    return spec?.digits === true ? `:${name}(^\\d+$)` : `:${name}`;
  });
  return apiPrefix + path;
}

function apiHandler(options: ListenerOptions, route: Route): Handler {
  const {endpoint} = route;
  return async (request, response, path, url) => {
    const headers: Headers = {};
    const fault = options.faults?.take(endpoint.method, url.pathname.slice(apiPrefix.length));
    if (fault !== undefined && (await strikeBefore(fault, request, response))) return;
    try {
      const actor = identify(options, route, request, headers);
      const body = await readBody(
        request,
        endpoint.upload ? options.world.files : undefined,
        options.uploadLimit,
      );
      const {params, ignored} = decodeParams(
        endpoint,
        options.world.level,
        restPath(route, path),
        body.fields,
        url.searchParams,
      );
      options.world.past?.request(endpoint.id, params);
      const client = clientName(request.headers['user-agent']);
      const answer = await runRoute(
        options,
        route,
        {actor, client, request, response, upload: body.upload},
        params,
      );
      if (response.destroyed) return;
      const shown = options.world.past?.answer(endpoint.id, answer) ?? answer;
      const text = successText(shown, options.world.level >= 167 ? ignored : []);
      if (fault !== undefined && strikeAfter(fault, response, text)) return;
      sendJson(request, response, 200, text, headers);
    } catch (error) {
      // A body that was not read to its end would be taken for the next request on this connection.
      if (!request.complete) headers.connection = 'close';
      request.resume();
      if (!(error instanceof ApiError)) throw error;
      const shown = options.world.past?.error(error) ?? error;
      if (shown.status === 401) headers['www-authenticate'] = 'Basic realm="zulip"';
      const retryAfter = shown.extra['retry-after'];
      if (typeof retryAfter === 'number') headers['retry-after'] = retryAfter;
      sendJson(request, response, shown.status, errorText(shown), headers);
    }
  };
}

function restPath({endpoint}: Route, path: Path): Path {
  const rest = Object.keys(endpoint.params).find((name) => endpoint.params[name]?.rest === true);
  return rest === undefined ? path : {...path, [rest]: path['*']};
}

/** Credentials and budget. Fills the rate-limit headers, which go out with every answer. */
function identify(
  options: ListenerOptions,
  {endpoint}: Route,
  request: IncomingMessage,
  headers: Headers,
): UserRow | undefined {
  const header = request.headers.authorization;
  const anonymous = endpoint.auth === 'none' || (endpoint.auth === 'optional' && header === undefined);
  const actor = anonymous ? undefined : authenticateOrCount(options, request, header);
  const verdict =
    actor === undefined
      ? options.limits?.byAddress.take(addressOf(request))
      : options.limits?.byUser.take(String(actor.id));
  if (verdict !== undefined) spend(verdict, headers);
  return actor;
}

/** Wrong guesses count against the address, so that keys cannot be tried at leisure. */
function authenticateOrCount(
  options: ListenerOptions,
  request: IncomingMessage,
  header: string | undefined,
): UserRow {
  try {
    return authenticate(options.world, header);
  } catch (error) {
    const verdict = options.limits?.byAddress.take(addressOf(request));
    if (verdict !== undefined && !verdict.allowed) throw rateLimitHit(verdict.retryAfter);
    throw error;
  }
}

function spend(verdict: Verdict, headers: Headers): void {
  headers['x-ratelimit-limit'] = verdict.limit;
  headers['x-ratelimit-remaining'] = verdict.remaining;
  headers['x-ratelimit-reset'] = verdict.resetAt;
  if (verdict.allowed) return;
  headers['retry-after'] = verdict.retryAfter;
  throw rateLimitHit(verdict.retryAfter);
}

function addressOf(request: IncomingMessage): string {
  const address = request.socket.remoteAddress ?? '';
  // One household has a whole IPv6 /64.
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}

interface Incoming {
  readonly actor: UserRow | undefined;
  readonly client: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upload: Visit['upload'];
}

function runRoute(
  {world}: ListenerOptions,
  route: Route,
  incoming: Incoming,
  params: Record<string, unknown>,
): Answer | Promise<Answer> {
  const {actor, client} = incoming;
  // The table pairs each endpoint with a function of that endpoint's params; decodeParams checked them.
  const checked = params as never;
  if (route.kind === 'sync') {
    if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    return world.act((act) => route.run({...act, actor, client}, checked));
  }
  const gone = new AbortController();
  incoming.response.on('close', () => gone.abort());
  const visit: Visit = {
    world,
    actor,
    client,
    address: addressOf(incoming.request),
    upload: incoming.upload,
    signal: gone.signal,
    act(body) {
      if (actor === undefined)
        throw unauthorized('Not logged in: API authentication or user session required');
      return world.act((act) => body({...act, actor, client}));
    },
  };
  return route.run(visit, checked);
}

function webHandler({world}: ListenerOptions, route: WebRoute): Handler {
  return async (request, response, path, url) => {
    const body = route.method === 'POST' ? await readText(request) : '';
    request.resume();
    const actor = quietly(() => webActor(world, request, url));
    const reply = await route.run({
      world,
      path,
      query: url.searchParams,
      body,
      headers: request.headers,
      actor,
    });
    response.writeHead(reply.status, {'x-content-type-options': 'nosniff', ...reply.headers});
    if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) response.end(reply.body);
    else pipeline(reply.body, response, () => {});
  };
}

function webActor(world: World, request: IncomingMessage, url: URL): UserRow | undefined {
  const key = url.searchParams.get('api_key');
  const email = url.searchParams.get('email');
  if (key !== null && email !== null) return checkCredentials(world, email, key);
  return authenticate(world, request.headers.authorization);
}

function quietly<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
