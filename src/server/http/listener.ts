import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import findMyWay from 'find-my-way';
import {apiHandler} from './api-handler.ts';
import {apiPrefix, type ListenerOptions, type RequestHandler} from './handler.ts';
import {errorJson, internalError, sendJson} from './json-response.ts';
import {parseRequestTarget} from './request-target.ts';
import type {Route} from './route.ts';
import {webHandler} from './web-handler.ts';

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** Everything between the socket and a route: routing, credentials, limits, parameters, transaction, reply. */
export function createListener(options: ListenerOptions): Server {
  const handlers = new Map<string, RequestHandler>();
  for (const route of options.routes) {
    if (route.endpoint.since > options.world.level) continue;
    handlers.set(`${route.endpoint.method} ${routerPath(route)}`, apiHandler(options, route));
  }
  for (const route of options.webRoutes)
    handlers.set(`${route.method} ${route.path}`, webHandler(options, route));
  const router = routerOf([...handlers.keys()]);

  const server = createServer(
    {headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024},
    (request, response) => {
      const target = parseRequestTarget(request.url);
      const method = request.method ?? 'GET';
      const found = target === undefined ? null : find(router, method, target.path);
      const handler = found === null ? undefined : handlers.get(String(found.store));
      if (target === undefined || found === null || handler === undefined) {
        // Unread bytes of a refused body would be taken for the next request.
        request.resume();
        refuse(request, response, target === undefined ? [] : allowedMethods(router, target.path));
        return;
      }
      handler(request, response, found.params, target).catch((error) => {
        options.log(`${method} ${target.path} failed`, error);
        sendJson(request, response, 500, errorJson(internalError), {});
      });
    },
  );
  server.maxRequestsPerSocket = 0;
  return server;
}

type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

const routers = new Map<string, Router>();

/** Finds the key of a request's handler. Building one takes longer than the rest of a start, so equal ones are shared. */
function routerOf(keys: readonly string[]): Router {
  const name = keys.join('\n');
  const known = routers.get(name);
  if (known !== undefined) return known;
  const router = findMyWay({ignoreTrailingSlash: true, maxParamLength: 2000});
  for (const key of keys) {
    const method = methods.find((candidate) => key.startsWith(`${candidate} `));
    if (method !== undefined) router.on(method, key.slice(method.length + 1), () => {}, key);
  }
  routers.set(name, router);
  return router;
}

function find(router: Router, method: string, path: string) {
  const known = methods.find((candidate) => candidate === method);
  return known === undefined ? null : router.find(known, path);
}

function allowedMethods(router: Router, path: string): string[] {
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
