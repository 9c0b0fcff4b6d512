import type {ServerContext} from '#server/context.ts';
import type {EventQueue} from '#server/event-queues/event-queue.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {errorJson} from '#server/http/json-response.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {versionFields} from '#server/version.ts';
import {decode, int, nat, s} from '#wire/schema.ts';
import type {Faults} from './faults.ts';

const someQueues = {
  user_id: s.optional(int),
  queue_id: s.optional(s.string()),
};

const fault = s.object({
  method: s.optional(s.string()),
  path: s.optional(s.string(), ''),
  kind: s.picklist(['status', 'delay', 'truncate', 'html', 'rate_limit', 'drop_before', 'drop_after']),
  status: s.optional(int, 502),
  code: s.optional(s.string(), 'INTERNAL_SERVER_ERROR'),
  delay_ms: s.optional(nat, 0),
  retry_after: s.optional(s.number(), 1),
  times: s.optional(nat, 1),
});

/** `POST /test-hooks/…` with a JSON body. Documented in test/README.md; exists only under --test-hooks, on loopback. */
export function testHookRoutes(faults: Faults): readonly WebRoute[] {
  return [
    hook('fault', fault, (_world, wanted) => {
      faults.add({
        method: wanted.method,
        path: wanted.path,
        kind: wanted.kind,
        status: wanted.status,
        code: wanted.code,
        delayMs: wanted.delay_ms,
        retryAfter: wanted.retry_after,
        remaining: wanted.times,
      });
      return {};
    }),
    hook('clear-faults', s.object({}), () => ({left: faults.clear()})),
    hook('expire-queues', s.object(someQueues), ({queues}, wanted) => {
      const doomed = selected(queues.all(), wanted);
      for (const queue of doomed) queues.delete(queue);
      return {expired: doomed.length};
    }),
    hook('redeliver', s.object({...someQueues, count: s.optional(nat, 1)}), ({queues}, wanted) => {
      const chosen = selected(queues.all(), wanted);
      for (const queue of chosen) queue.redeliver(wanted.count);
      return {queues: chosen.length};
    }),
    hook('heartbeat', s.object(someQueues), ({queues}, wanted) => {
      const chosen = selected(queues.all(), wanted);
      for (const queue of chosen) queue.push('"type":"heartbeat"}');
      return {queues: chosen.length};
    }),
    hook('restart', s.object({feature_level: s.optional(int)}), (world, wanted) => {
      const fields = versionFields({
        level: wanted.feature_level ?? world.level,
      });
      const body = {
        ...fields,
        server_generation: Math.floor(world.clock.now() / 1000),
        immediate: true,
      };
      world.queues.deliver([{type: 'restart', to: 'everyone', body}]);
      return {};
    }),
  ];
}

function selected(
  queues: Iterable<EventQueue>,
  wanted: {user_id?: number | undefined; queue_id?: string | undefined},
): EventQueue[] {
  return [...queues].filter(
    (queue) =>
      (wanted.user_id === undefined || queue.userId === wanted.user_id) &&
      (wanted.queue_id === undefined || queue.id === wanted.queue_id),
  );
}

function hook<T>(
  name: string,
  schema: s.GenericSchema<unknown, T>,
  run: (world: ServerContext, wanted: T) => Record<string, unknown>,
): WebRoute {
  return {
    method: 'POST',
    path: `/test-hooks/${name}`,
    async run({world, body}: WebRequest): Promise<WebResponse> {
      try {
        const decoded = decode(schema, JSON.parse(body === '' ? '{}' : body));
        if (!decoded.ok) throw badRequest(decoded.reason);
        return json(
          200,
          JSON.stringify({
            result: 'success',
            msg: '',
            ...run(world, decoded.value),
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
