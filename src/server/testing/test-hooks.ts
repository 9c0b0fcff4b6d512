import {messageAudience} from '#server/actions/messages/message-audience.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {findMessage} from '#server/db/messages.ts';
import {Trait} from '#server/db/rows.ts';
import type {EventQueue} from '#server/event-queues/event-queue.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {errorJson} from '#server/http/json-response.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {runAction} from '#server/run-action.ts';
import {versionFields} from '#server/version.ts';
import {messageFlagNames} from '#server/views/message.ts';
import {parseJson} from '#std/parse-json.ts';
import {decode, int, nat, s} from '#wire/schema.ts';
import {externalLoginRoute} from './external-login.ts';
import {Faults, faultKinds} from './faults.ts';

const queueFilter = {
  user_id: s.optional(int),
  queue_id: s.optional(s.string()),
};

const faultParams = s.object({
  method: s.optional(s.string()),
  path: s.optional(s.string(), ''),
  kind: s.picklist(faultKinds),
  status: s.optional(int, 502),
  code: s.optional(s.string(), 'INTERNAL_SERVER_ERROR'),
  delay_ms: s.optional(nat, 0),
  retry_after: s.optional(s.number(), 1),
  times: s.optional(nat, 1),
});

/** The equipment of a server that is being tested: faults to inject, and the routes by which tests control it. */
export interface TestHooks {
  readonly faults: Faults;
  readonly webRoutes: readonly WebRoute[];
}

/** Returns new test hooks; the server loads this module only when it is started with `testHooks`. */
export function createTestHooks(): TestHooks {
  const faults = new Faults();
  return {faults, webRoutes: testHookRoutes(faults)};
}

/** The routes `POST /test-hooks/…`, which take a JSON body. test/README.md documents them. */
function testHookRoutes(faults: Faults): readonly WebRoute[] {
  return [
    hook('fault', faultParams, (_server, params) => {
      faults.add({
        method: params.method,
        path: params.path,
        kind: params.kind,
        status: params.status,
        code: params.code,
        delayMs: params.delay_ms,
        retryAfter: params.retry_after,
        remaining: params.times,
      });
      return {};
    }),
    hook('clear-faults', s.object({}), () => ({left: faults.clear()})),
    hook('expire-queues', s.object(queueFilter), ({queues}, params) => {
      const expired = matchingQueues(queues.all(), params);
      for (const queue of expired) queues.delete(queue);
      return {expired: expired.length};
    }),
    hook('redeliver', s.object({...queueFilter, count: s.optional(nat, 1)}), ({queues}, params) => {
      const chosen = matchingQueues(queues.all(), params);
      for (const queue of chosen) queue.redeliver(params.count);
      return {queues: chosen.length};
    }),
    hook('heartbeat', s.object(queueFilter), ({queues}, params) => {
      const chosen = matchingQueues(queues.all(), params);
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
      const fields = versionFields({
        level: params.feature_level ?? server.level,
      });
      const body = {
        ...fields,
        server_generation: Math.floor(server.clock.now() / 1000),
        immediate: true,
      };
      server.queues.deliver([{type: 'restart', to: 'everyone', body}]);
      return {};
    }),
  ];
}

/** Replaces a message's HTML, as a server does that has fetched a linked page. */
function emitRendering(act: ActionContext, id: number, html: string): void {
  const row = findMessage(act.db, id);
  if (row === undefined) throw badRequest('Invalid message(s)');
  act.server.renderer.saveHtml(row, html);
  act.emit({
    type: 'update_message',
    to: messageAudience(act, row),
    body: ({userId}) => ({
      user_id: null,
      rendering_only: true,
      edit_timestamp: act.now,
      message_id: id,
      message_ids: [id],
      flags: messageFlagNames(act, userId, [row]).get(id) ?? [],
      content: row.content,
      rendered_content: html,
      is_me_message: (row.traits & Trait.me) !== 0,
    }),
  });
}

function matchingQueues(
  queues: Iterable<EventQueue>,
  filter: {user_id?: number | undefined; queue_id?: string | undefined},
): EventQueue[] {
  return [...queues].filter(
    (queue) =>
      (filter.user_id === undefined || queue.userId === filter.user_id) &&
      (filter.queue_id === undefined || queue.id === filter.queue_id),
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
        return json(
          200,
          JSON.stringify({
            result: 'success',
            msg: '',
            ...run(server, decoded.value),
          }),
        );
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
