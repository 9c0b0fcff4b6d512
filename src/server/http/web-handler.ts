import type {IncomingMessage} from 'node:http';
import {pipeline} from 'node:stream';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {authenticate, checkCredentials} from './auth.ts';
import {ApiError} from './errors.ts';
import type {ListenerOptions, RequestHandler} from './handler.ts';
import {readText} from './request-body.ts';
import type {RequestTarget} from './request-target.ts';
import type {WebRoute} from './route.ts';

/** Returns the handler of a route outside the API. */
export function webHandler({server}: ListenerOptions, route: WebRoute): RequestHandler {
  return async (request, response, path, target) => {
    const body = route.method === 'POST' ? await readText(request) : '';
    request.resume();
    const actor = orUndefined(() => webActor(server, request, target));
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
