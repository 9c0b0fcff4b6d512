import {readFileSync, statSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createTlsServer, type Server as TlsServer} from 'node:https';
import {pipeline} from 'node:stream';
import {createSecureContext} from 'node:tls';
import findMyWay from 'find-my-way';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, asApiError, unlessRefused} from '#server/errors.ts';
import type {Route, WebRequest, WebResponse, WebRoute} from '#server/route.ts';
import type {Clock} from '#std/clock.ts';
import {withFailureHandler} from '#std/failure-handler.ts';
import {apiHandler} from './api-handler.ts';
import {authenticate, checkCredentials} from './auth.ts';
import {errorJson, internalError, sendJson} from './json-response.ts';
import {apiPrefix, type CertificateFiles, type ListenerOptions, type RequestHandler} from './listener-options.ts';
import {browserPrefix, clientNetwork, hostCheck, parseRequestTarget, type RequestTarget} from './request-address.ts';
import {readText, skipBody} from './request-body.ts';
import {originOf} from './server-events.ts';

const twoHosts = new ApiError('BAD_REQUEST', 'The request has more than one Host header.');
const notOurName = new ApiError(
  'BAD_REQUEST',
  'This server has another name. Its administrator sets the name with “parley serve --url”.',
  421,
);

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** Creates the HTTP server that routes requests to the handlers of API and web routes. */
export function createListener(options: ListenerOptions): Server | TlsServer {
  const handlers = new Map<string, RequestHandler>();
  for (const route of options.routes) {
    const {since, until = Number.POSITIVE_INFINITY} = route.endpoint;
    if (since > options.server.level || until <= options.server.level) continue;
    handlers.set(`${route.endpoint.method} ${routerPath(route)}`, apiHandler(options, route));
  }
  for (const route of options.webRoutes) handlers.set(`${route.method} ${route.path}`, webHandler(options, route));
  const router = routerOf([...handlers.keys()]);
  const isOwnName = hostCheck(options.names);

  function hostRefusal({headers, headersDistinct}: IncomingMessage): ApiError | undefined {
    if ((headersDistinct.host?.length ?? 0) > 1) return twoHosts;
    return isOwnName(headers.host) ? undefined : notOurName;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = visitorTarget(request, parseRequestTarget(request.url));
    const method = request.method ?? 'GET';
    const match = target === undefined ? null : find(router, method, target.path);
    options.onRequest?.(method, target?.path ?? '', response, match === null ? undefined : String(match.store));
    const handler = match === null ? undefined : handlers.get(String(match.store));
    const isBrowserRegistration = request.url?.startsWith(browserPrefix) === true && match?.store === registration;
    const refusal = hostRefusal(request) ?? (isBrowserRegistration ? noCookie : undefined);
    if (refusal === undefined && target !== undefined && match !== null && handler !== undefined) {
      await handler(request, response, match.params, target);
      return;
    }
    skipBody(request);
    if (refusal !== undefined) sendJson(request, response, refusal.status, errorJson(refusal), {});
    else refuse(request, response, target === undefined ? [] : allowedMethods(router, target.path));
  }

  const limits = {headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024};
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const fail = (error: unknown) => {
      options.log(`${request.method} ${request.url?.split('?')[0]} failed`, error);
      if (response.headersSent) response.destroy();
      else sendJson(request, response, 500, errorJson(internalError), {});
    };
    // An error event without a listener would end the process. The reader of the body notices those of the request.
    request.on('error', () => {});
    response.on('error', fail);
    withFailureHandler(fail, () => handle(request, response))
      .catch(fail)
      .catch(() => response.destroy());
  };
  const {certificate} = options;
  const server =
    certificate === undefined
      ? createServer(limits, answer)
      : createTlsServer({...limits, ...readCertificate(certificate)}, answer);
  server.maxRequestsPerSocket = 0;
  server.on('error', (error) => {
    // A failure to listen is said by who listens.
    if (server.listening) options.log('A connection could not be accepted', error);
  });
  return server;
}

const registration = `POST ${apiPrefix}/register`;
const reason = 'CSRF cookie not set.';
const noCookie = new ApiError('CSRF_FAILED', `CSRF error: ${reason}`, 403, {reason});

/** Returns the target of a browser's request under `apiPrefix`. This server sets no cookies, so it is a visitor's. */
function visitorTarget(request: IncomingMessage, target: RequestTarget | undefined): RequestTarget | undefined {
  if (!target?.path.startsWith(browserPrefix)) return target;
  delete request.headers.authorization;
  return {...target, path: apiPrefix + target.path.slice(browserPrefix.length - 1)};
}

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

const routers = new Map<string, Router>();

/**
 * Returns a router for these handler keys. Building one is the slowest part of a server start, so equal ones are
 * shared.
 */
function routerOf(keys: readonly string[]): Router {
  const name = keys.join('\n');
  const shared = routers.get(name);
  if (shared !== undefined) return shared;
  const router = findMyWay({ignoreTrailingSlash: true, maxParamLength: 2000});
  for (const key of keys) {
    const method = methods.find((candidate) => key.startsWith(`${candidate} `));
    if (method !== undefined) router.on(method, key.slice(method.length + 1), () => {}, key);
  }
  routers.set(name, router);
  return router;
}

/** HEAD is GET: Node leaves the body out of the response. Paths with `me` have routes of their own: it is no email. */
function find(router: Router, method: string, path: string) {
  const routed = method === 'HEAD' ? 'GET' : methods.find((candidate) => candidate === method);
  const match = routed === undefined ? null : router.find(routed, path);
  return match?.params.email === 'me' ? null : match;
}

/** Returns the methods of the route with the fewest parameters: `/users/me` has none of `/users/{email}`. */
function allowedMethods(router: Router, path: string): string[] {
  const matches = methods.flatMap((method) => {
    const match = router.find(method, path);
    return match === null ? [] : [{method, paramCount: Object.keys(match.params).length}];
  });
  const fewest = Math.min(...matches.map(({paramCount}) => paramCount));
  const found: string[] = matches.filter(({paramCount}) => paramCount === fewest).map(({method}) => method);
  return found.includes('GET') ? [...found, 'HEAD'].sort() : found;
}

function refuse(request: IncomingMessage, response: ServerResponse, allowed: string[]): void {
  if (allowed.length === 0) {
    sendJson(request, response, 404, JSON.stringify({result: 'error', msg: 'Not found', code: 'BAD_REQUEST'}), {});
    return;
  }
  const body = {result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed};
  sendJson(request, response, 405, JSON.stringify(body), {allow: allowed.join(', ')});
}

/**
 * Converts `{user_id}` to find-my-way's `:user_id`. Numbers match only digits, so that `/users/me` and emails have
 * their own routes.
 */
function routerPath({endpoint}: Route): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const spec = endpoint.params[name];
    if (spec?.rest === true) return '*';
    return spec?.digits === true ? `:${name}(^\\d+$)` : `:${name}`;
  });
  return apiPrefix + path;
}

/** Returns the handler of a route outside the API. */
function webHandler(options: ListenerOptions, route: WebRoute): RequestHandler {
  const {server} = options;
  return async (request, response, path, target) => {
    const network = clientNetwork(request, options.trustsProxy);
    const actor = unlessRefused(() => webActor(server, request, target));
    // Wrong credentials count as on the API, so that keys cannot be guessed here.
    const isGuess = actor === undefined && (request.headers.authorization !== undefined || target.query.has('api_key'));
    const limit = options.limits?.[isGuess ? 'byAddress' : (route.limit ?? 'web')].take(network);
    const reply =
      limit?.allowed === false
        ? textResponse(429, 'Too many requests. Try again later.', {'retry-after': String(Math.ceil(limit.retryAfter))})
        : await runRoute(route, request, {server, path, query: target.query, headers: request.headers, actor});
    const {status, event} = reply;
    // A form with a mistake, and a file that is not there, are not logged.
    const isRefused = status === 401 || status === 403 || status === 429 || status === 507;
    const origin = originOf(request, route.path, {}, options.trustsProxy);
    if (event !== undefined) options.onEvent({...origin, ...event});
    else if (isRefused) options.onEvent({event: 'refusal', ...origin, user: actor?.id, status});
    skipBody(request);
    response.writeHead(reply.status, {'x-content-type-options': 'nosniff', ...reply.headers});
    if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) response.end(reply.body);
    else {
      pipeline(reply.body, response, (error) => {
        const isClosed = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
        if (error && !isClosed) options.log(`${request.method} ${route.path} failed`, error);
      });
    }
  };
}

type WebContext = Omit<WebRequest, 'body'>;

async function runRoute(route: WebRoute, request: IncomingMessage, context: WebContext): Promise<WebResponse> {
  try {
    const body = route.method === 'POST' ? await readText(request, context.server.clock) : '';
    return await route.run({...context, body});
  } catch (error) {
    const refusal = asApiError(error);
    if (refusal === undefined) throw error;
    // The rest of an unread body would be parsed as the next request on this connection.
    return textResponse(refusal.status, refusal.message, request.complete ? {} : {connection: 'close'});
  }
}

function textResponse(status: number, text: string, headers: Readonly<Record<string, string>>): WebResponse {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8', ...headers}, body: `${text}\n`};
}

function webActor(server: ServerContext, request: IncomingMessage, target: RequestTarget): UserRow | undefined {
  const key = target.query.get('api_key');
  const email = target.query.get('email');
  if (key !== null && email !== null) return checkCredentials(server, email, key);
  return authenticate(server, request.headers.authorization);
}

const checkEveryMs = 10_000;

function readCertificate({cert, key}: CertificateFiles): {cert: Buffer; key: Buffer} {
  return {cert: readFileSync(cert), key: readFileSync(key)};
}

/** Throws if the files cannot be read or are no certificate with its key. */
export function checkCertificate(files: CertificateFiles): void {
  createSecureContext(readCertificate(files));
}

/** Uses new files when they replace the old ones: certificates are renewed every few months. Connections stay open. */
export function followCertificate(
  server: TlsServer,
  files: CertificateFiles,
  clock: Clock,
  log: Log,
): {reload(): void; stop(): void} {
  let used = versionOf(files);
  const load = (result: string) => {
    try {
      used = versionOf(files);
      server.setSecureContext(readCertificate(files));
      log(result);
    } catch (error) {
      // Such as one of two files that is replaced before the other.
      log('The new certificate cannot be used; the old one stays', error);
    }
  };
  const task = new BackgroundTask({clock, log, name: 'Looking for a new certificate'}, () => {
    const found = versionOf(files);
    if (found !== undefined && found !== used) load('The new certificate is used.');
    return checkEveryMs;
  });
  task.schedule(checkEveryMs);
  return {reload: () => load('The certificate was read again.'), stop: () => task.stop()};
}

/** Returns undefined while one of the files is missing. */
function versionOf({cert, key}: CertificateFiles): string | undefined {
  const stats = [cert, key].map((path) => statSync(path, {throwIfNoEntry: false}));
  if (stats.includes(undefined)) return undefined;
  return stats.map((file) => `${file?.ino} ${file?.mtimeMs} ${file?.size}`).join(' ');
}
