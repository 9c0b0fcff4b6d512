import type {IncomingMessage} from 'node:http';
import {pipeline} from 'node:stream';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {authenticate, checkCredentials} from './auth.ts';
import {clientNetwork} from './client-address.ts';
import {ApiError} from './errors.ts';
import type {ListenerOptions, RequestHandler} from './handler.ts';
import {readText} from './request-body.ts';
import type {RequestTarget} from './request-target.ts';
import type {WebRoute} from './route.ts';

/** Returns the handler of a route outside the API. */
export function webHandler(options: ListenerOptions, route: WebRoute): RequestHandler {
  const {server} = options;
  return async (request, response, path, target) => {
    const body = route.method === 'POST' ? await readText(request) : '';
    request.resume();
    const network = clientNetwork(request, options.trustsProxy);
    const actor = orUndefined(() => webActor(server, request, target));
    // Wrong credentials count as on the API, so that keys cannot be guessed here.
    const isGuess = actor === undefined && hasCredentials(request, target);
    const limit = options.limits?.[isGuess ? 'byAddress' : 'web'].take(network);
    if (limit?.allowed === false) {
      response.writeHead(429, {
        'content-type': 'text/plain; charset=utf-8',
        'retry-after': String(Math.ceil(limit.retryAfter)),
      });
      response.end('Too many requests. Try again later.\n');
      return;
    }
    const reply = await route.run({
      server,
      path,
      query: target.query,
      body,
      headers: request.headers,
      actor,
    });
    response.writeHead(reply.status, {'x-content-type-options': 'nosniff', ...reply.headers});
    if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) response.end(reply.body);
    else pipeline(reply.body, response, () => {});
  };
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
