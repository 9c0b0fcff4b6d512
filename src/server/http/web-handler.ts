import type {IncomingMessage} from 'node:http';
import {pipeline} from 'node:stream';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {authenticate, checkCredentials} from './auth.ts';
import {clientNetwork} from './client-address.ts';
import {ApiError, asApiError} from './errors.ts';
import type {ListenerOptions, RequestHandler} from './handler.ts';
import {readText} from './request-body.ts';
import type {RequestTarget} from './request-target.ts';
import type {WebRequest, WebResponse, WebRoute} from './route.ts';

/** Returns the handler of a route outside the API. */
export function webHandler(options: ListenerOptions, route: WebRoute): RequestHandler {
  const {server} = options;
  return async (request, response, path, target) => {
    const network = clientNetwork(request, options.trustsProxy);
    const actor = orUndefined(() => webActor(server, request, target));
    // Wrong credentials count as on the API, so that keys cannot be guessed here.
    const isGuess = actor === undefined && hasCredentials(request, target);
    const limit = options.limits?.[isGuess ? 'byAddress' : (route.limit ?? 'web')].take(network);
    const reply =
      limit?.allowed === false
        ? textResponse(429, 'Too many requests. Try again later.', {'retry-after': String(Math.ceil(limit.retryAfter))})
        : await runRoute(route, request, {server, path, query: target.query, headers: request.headers, actor});
    request.resume();
    response.writeHead(reply.status, {'x-content-type-options': 'nosniff', ...reply.headers});
    if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) response.end(reply.body);
    else pipeline(reply.body, response, () => {});
  };
}

async function runRoute(
  route: WebRoute,
  request: IncomingMessage,
  context: Omit<WebRequest, 'body'>,
): Promise<WebResponse> {
  try {
    return await route.run({
      ...context,
      body: route.method === 'POST' ? await readText(request, context.server.clock) : '',
    });
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

function hasCredentials({headers}: IncomingMessage, {query}: RequestTarget): boolean {
  return headers.authorization !== undefined || query.has('api_key');
}

function webActor(server: ServerContext, request: IncomingMessage, target: RequestTarget): UserRow | undefined {
  const key = target.query.get('api_key');
  const email = target.query.get('email');
  if (key !== null && email !== null) return checkCredentials(server, email, key);
  return authenticate(server, request.headers.authorization);
}

function orUndefined<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
