import type {IncomingMessage, ServerResponse} from 'node:http';
import type {UserRow} from '#server/db/rows.ts';
import {networkOfAddress} from './address.ts';
import {authenticate, clientName, requireStillActive, unauthorized} from './auth.ts';
import {ApiError, rateLimitHit} from './errors.ts';
import {apiPrefix, type ListenerOptions, type RequestHandler} from './handler.ts';
import {errorJson, type ResponseHeaders, sendJson, successJson} from './json-response.ts';
import type {JsonText} from './json-text.ts';
import {paramDecoder} from './param-decoder.ts';
import type {RateLimitResult} from './rate-limiter.ts';
import {hasSmallBody, type RequestBody, readBody} from './request-body.ts';
import type {AsyncRequestContext, Route} from './route.ts';

type ResponseBody = Readonly<Record<string, unknown>> | JsonText;

/** Everything between a matched request and its route: credentials, budget, parameters, transaction, reply. */
export function apiHandler(options: ListenerOptions, route: Route): RequestHandler {
  const {endpoint} = route;
  const decodeParams = paramDecoder(endpoint, options.server.level);
  const rest = Object.keys(endpoint.params).find((name) => endpoint.params[name]?.rest === true);
  return async (request, response, path, target) => {
    const headers: ResponseHeaders = {};
    const fault = options.faults?.take(endpoint.method, target.path.slice(apiPrefix.length));
    if (await fault?.beforeRoute(request, response)) return;
    let body: RequestBody | undefined;
    try {
      // Before a long body, so that strangers cannot make us read it; and again after it, because whoever sends it may
      // have lost their rights by then. A short one is worth a single look.
      const patient = endpoint.upload || !hasSmallBody(request);
      const early = patient ? identify(options, route, request, headers) : undefined;
      body = await readBody(request, endpoint.upload ? options.server.files : undefined, options.uploadLimit);
      const actor = patient
        ? early && requireStillActive(options.server, early)
        : identify(options, route, request, headers);
      const {params, ignored} = decodeParams(
        rest === undefined ? path : {...path, [rest]: path['*']},
        body.fields,
        target.query,
      );
      options.server.downgrade?.request(endpoint.id, params, actor);
      const client = clientName(request.headers['user-agent']);
      const answer = await runRoute(
        options,
        route,
        {actor, client, request, response, upload: body.upload},
        params,
      );
      if (response.destroyed) return;
      const shown = options.server.downgrade?.response(endpoint.id, answer) ?? answer;
      const text = successJson(
        shown,
        options.server.downgrade?.reportsIgnoredParams === false ? [] : ignored,
      );
      if (fault?.afterCommit(response, text)) return;
      sendJson(request, response, 200, text, headers);
    } catch (error) {
      // A file that no route gave its place goes before the answer: whoever is told no finds nothing left of it.
      await body?.upload?.file.discard();
      // A body that was not read to its end would be taken for the next request on this connection.
      if (!request.complete) headers.connection = 'close';
      request.resume();
      if (!(error instanceof ApiError)) throw error;
      const shown = options.server.downgrade?.error(error) ?? error;
      if (shown.status === 401) headers['www-authenticate'] = 'Basic realm="zulip"';
      const retryAfter = shown.extra['retry-after'];
      if (typeof retryAfter === 'number') headers['retry-after'] = retryAfter;
      sendJson(request, response, shown.status, errorJson(shown), headers);
    }
  };
}

/** Credentials and budget. Fills the rate-limit headers, which go out with every answer. */
function identify(
  options: ListenerOptions,
  {endpoint}: Route,
  request: IncomingMessage,
  headers: ResponseHeaders,
): UserRow | undefined {
  const header = request.headers.authorization;
  const anonymous = endpoint.auth === 'none' || (endpoint.auth === 'optional' && header === undefined);
  const actor = anonymous ? undefined : authenticateOrCount(options, request, headers);
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
  headers: ResponseHeaders,
): UserRow {
  try {
    return authenticate(options.server, request.headers.authorization);
  } catch (error) {
    const verdict = options.limits?.byAddress.take(addressOf(request));
    if (verdict !== undefined) spend(verdict, headers);
    throw error;
  }
}

function spend(verdict: RateLimitResult, headers: ResponseHeaders): void {
  headers['x-ratelimit-limit'] = verdict.limit;
  headers['x-ratelimit-remaining'] = verdict.remaining;
  headers['x-ratelimit-reset'] = verdict.resetAt;
  if (verdict.allowed) return;
  headers['retry-after'] = verdict.retryAfter;
  throw rateLimitHit(verdict.retryAfter);
}

function addressOf(request: IncomingMessage): string {
  return networkOfAddress(request.socket.remoteAddress ?? '');
}

interface IncomingCall {
  readonly actor: UserRow | undefined;
  readonly client: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upload: AsyncRequestContext['upload'];
}

function runRoute(
  {server}: ListenerOptions,
  route: Route,
  incoming: IncomingCall,
  params: Record<string, unknown>,
): ResponseBody | Promise<ResponseBody> {
  const {actor, client} = incoming;
  // The table pairs each endpoint with a function of that endpoint's params; decodeParams checked them.
  const checked = params as never;
  if (route.kind === 'sync') {
    if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    const seen = server.downgrade?.actor(route.endpoint.id, actor) ?? actor;
    return server.runAction(
      (act) => route.run({...act, actor: seen, client}, checked),
      route.defersMessageWork,
    );
  }
  const visit: AsyncRequestContext = {
    server,
    actor,
    client,
    address: addressOf(incoming.request),
    upload: incoming.upload,
    onDisconnect(task) {
      const {response} = incoming;
      const listener = () => {
        if (!response.writableEnded) task();
      };
      response.once('close', listener);
      return () => void response.off('close', listener);
    },
    runAction(body) {
      if (actor === undefined)
        throw unauthorized('Not logged in: API authentication or user session required');
      return server.runAction((act) => body({...act, actor, client}));
    },
  };
  return route.run(visit, checked);
}
