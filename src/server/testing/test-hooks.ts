import {stat} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {messageAudience} from '#server/actions/messages/message-audience.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {findMessage} from '#server/db/messages.ts';
import {Trait} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, rateLimitHit, required} from '#server/errors.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {errorJson, sendJson} from '#server/http/json-response.ts';
import type {FaultInjector, RequestFault} from '#server/http/listener-options.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/route.ts';
import {runAction} from '#server/run-action.ts';
import {versionFields} from '#server/version.ts';
import {messageFlagNames} from '#server/views/message.ts';
import {externalLoginPath} from '#server/views/server-settings.ts';
import {parseJson} from '#std/parse-json.ts';
import {decode, type Infer, int, nat, s} from '#wire/schema.ts';

const queueFilter = {
  user_id: s.optional(int),
  queue_id: s.optional(s.string()),
};

const faultKinds = [
  'status',
  'status_after',
  'delay',
  'truncate',
  'html',
  'rate_limit',
  'drop_before',
  'drop_after',
  'drop_late',
  'gzip_bomb',
  'uncaught',
] as const;

const faultParams = s.object({
  method: s.optional(s.string()),
  /** Matches the path after `/api/v1`, as a prefix; empty matches all. */
  path: s.optional(s.string(), ''),
  kind: s.picklist(faultKinds),
  status: s.optional(int, 502),
  code: s.optional(s.string(), 'INTERNAL_SERVER_ERROR'),
  delay_ms: s.optional(nat, 0),
  retry_after: s.optional(s.number(), 1),
  /** The requests that it still applies to. */
  times: s.optional(nat, 1),
});

/**
 * Returns the equipment of a server that is being tested: faults to inject, and the routes `POST /test-hooks/…` by which
 * tests control it. They take a JSON body; test/README.md documents them. The server loads this module only when it is
 * started with `testHooks`.
 */
export function createTestHooks() {
  const faults = new Faults();
  const webRoutes: readonly WebRoute[] = [
    hook('fault', faultParams, (_server, params) => {
      faults.add({...params});
      return {};
    }),
    hook('clear-faults', s.object({}), () => ({left: faults.clear()})),
    hook('expire-queues', s.object(queueFilter), (server, params) => {
      const expired = matchingQueues(server, params);
      for (const queue of expired) server.queues.delete(queue);
      return {expired: expired.length};
    }),
    hook('redeliver', s.object({...queueFilter, count: s.optional(nat, 1)}), (server, params) => {
      const chosen = matchingQueues(server, params);
      for (const queue of chosen) queue.redeliver(params.count);
      return {queues: chosen.length};
    }),
    hook('heartbeat', s.object(queueFilter), (server, params) => {
      const chosen = matchingQueues(server, params);
      for (const queue of chosen) queue.push('"type":"heartbeat"}');
      return {queues: chosen.length};
    }),
    hook('rendering', s.object({message_id: int, html: s.string()}), (server, {message_id: id, html}) => {
      runAction(server, (act) => emitRendering(act, id, html));
      return {};
    }),
    hook('external-login', s.object({user_id: int, only: s.optional(s.boolean(), false)}), (server, params) => {
      server.externalLogin = {userId: params.user_id, isOnly: params.only};
      return {};
    }),
    externalLoginRoute,
    hook('restart', s.object({feature_level: s.optional(int)}), (server, params) => {
      const fields = versionFields({level: params.feature_level ?? server.level});
      const server_generation = Math.floor(server.clock.now() / 1000);
      const body = {...fields, server_generation, immediate: true};
      server.queues.deliver([{type: 'restart', to: 'everyone', body}]);
      return {};
    }),
  ];
  return {faults, webRoutes};
}

/** Replaces a message's HTML, as a server does that has fetched a linked page. */
function emitRendering(act: ActionContext, id: number, html: string): void {
  const row = required(findMessage(act.db, id), 'Invalid message(s)');
  act.server.renderer.saveHtml(row, html);
  act.emit('update_message', messageAudience(act, row), ({userId}) => ({
    user_id: null,
    rendering_only: true,
    edit_timestamp: act.now,
    message_id: id,
    message_ids: [id],
    flags: messageFlagNames(act, userId, [row]).get(id) ?? [],
    content: row.content,
    rendered_content: html,
    is_me_message: (row.traits & Trait.me) !== 0,
  }));
}

type QueueFilter = {user_id?: number | undefined; queue_id?: string | undefined};

function matchingQueues({queues}: ServerContext, {user_id, queue_id}: QueueFilter): EventQueue[] {
  return [...queues.all()].filter(
    ({userId, id}) => (user_id === undefined || userId === user_id) && (queue_id === undefined || id === queue_id),
  );
}

function hook<T>(
  name: string,
  schema: s.GenericSchema<unknown, T>,
  run: (server: ServerContext, params: T) => Record<string, unknown>,
): WebRoute {
  return {
    method: 'POST',
    path: `/test-hooks/${name}`,
    async run({server, body}: WebRequest): Promise<WebResponse> {
      try {
        const decoded = decode(schema, parseJson(body === '' ? '{}' : body));
        if (!decoded.ok) throw badRequest(decoded.reason);
        return json(200, JSON.stringify({result: 'success', msg: '', ...run(server, decoded.value)}));
      } catch (error) {
        if (error instanceof SyntaxError) return json(400, errorJson(badRequest('The body is not JSON')));
        if (error instanceof ApiError) return json(error.status, errorJson(error));
        throw error;
      }
    },
  };
}

function json(status: number, body: string): WebResponse {
  return {status, headers: {'content-type': 'application/json'}, body};
}

/**
 * The page of an identity provider that knows its user already: it redirects to the address that Zulip's apps receive. The API
 * key is encrypted with the one-time pad of the client.
 */
const externalLoginRoute: WebRoute = {
  method: 'GET',
  path: externalLoginPath,
  run: async ({server, query}: WebRequest): Promise<WebResponse> => {
    const user = server.externalLogin === undefined ? undefined : findUser(server.db, server.externalLogin.userId);
    const pad = query.get('mobile_flow_otp') ?? '';
    if (user === undefined || !/^[\da-f]{64}$/i.test(pad)) {
      return {status: 400, headers: {'content-type': 'text/plain'}, body: 'Invalid OTP\n'};
    }
    const bytes = Buffer.from(pad, 'hex');
    const encrypted = Buffer.from(server.secrets.apiKey(user), 'ascii').map((byte, at) => byte ^ (bytes[at] ?? 0));
    const params = new URLSearchParams({
      otp_encrypted_api_key: Buffer.from(encrypted).toString('hex'),
      email: user.delivery_email,
      user_id: String(user.id),
      realm: server.url,
    });
    return {status: 302, headers: {location: `zulip://login?${params}`}, body: ''};
  },
};

/** More than any client should accept. */
const bombBytes = 100 * 1024 * 1024;
let bomb: Buffer | undefined;

/** Returns the body of `gzip_bomb`. Compressing it takes half a second, so it is kept. */
function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(bombBytes, ' '));
  return bomb;
}

/** A misbehaviour that a test requests: the requests it applies to, and what happens to them. */
type Fault = Infer<typeof faultParams>;

/** The faults that are waiting for a matching request. Only servers started with test hooks have any. */
export class Faults implements FaultInjector {
  #pending: Fault[] = [];

  add(fault: Fault): void {
    this.#pending.push(fault);
  }

  /** Drops all faults and returns how many requests they would still have hit. */
  clear(): number {
    const left = this.#pending.reduce((sum, {times}) => sum + times, 0);
    this.#pending = [];
    return left;
  }

  /** Returns the first fault that matches this request and counts it as used once. */
  take(method: string, path: string): RequestFault | undefined {
    const fault = this.#pending.find(
      (candidate) => (candidate.method === undefined || candidate.method === method) && path.startsWith(candidate.path),
    );
    if (fault === undefined) return undefined;
    fault.times--;
    if (fault.times <= 0) this.#pending = this.#pending.filter((other) => other !== fault);
    return {
      beforeRoute: (request, response) => injectBeforeRoute(fault, request, response),
      afterBody: async (response) => {
        if (fault.kind !== 'drop_late') return;
        response.socket?.destroy();
        await sleep(fault.delay_ms);
      },
      afterCommit: (response, text) => injectAfterCommit(fault, response, text),
    };
  }
}

async function injectBeforeRoute(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'delay':
      await sleep(fault.delay_ms);
      return false;
    case 'status':
      request.resume();
      sendJson(request, response, fault.status, errorJson(injectedError(fault)), {});
      return true;
    case 'html':
      request.resume();
      response.writeHead(fault.status, {'content-type': 'text/html'});
      response.end(`<html><body><h1>${fault.status} Bad Gateway</h1></body></html>`);
      return true;
    case 'rate_limit':
      request.resume();
      sendJson(request, response, 429, errorJson(rateLimitHit(fault.retry_after)), {'retry-after': fault.retry_after});
      return true;
    case 'gzip_bomb':
      request.resume();
      response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'});
      response.end(gzipBomb());
      return true;
    case 'drop_before':
      request.socket.destroy();
      return true;
    case 'uncaught':
      stat('/', () => {
        throw injectedError(fault);
      });
      return true;
    default:
      return false;
  }
}

function injectedError({code, status}: Fault): ApiError {
  return new ApiError(code, 'Injected fault', status);
}

function injectAfterCommit(fault: Fault, response: ServerResponse, text: string): boolean {
  if (fault.kind === 'drop_after') {
    response.socket?.destroy();
    return true;
  }
  if (fault.kind === 'status_after') {
    response.writeHead(fault.status, {'content-type': 'application/json'});
    response.end(errorJson(injectedError(fault)));
    return true;
  }
  if (fault.kind !== 'truncate') return false;
  response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)});
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.socket?.destroy());
  return true;
}
