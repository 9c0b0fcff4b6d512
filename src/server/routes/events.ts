import type {ServerContext} from '#server/context.ts';
import type {EventQueue, QueueOptions} from '#server/event-queues/event-queue.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {JsonText} from '#server/http/json-response.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/http/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import {defaultIdleSeconds} from './register.ts';

export const eventsRoutes: readonly Route[] = [
  asyncRoute(endpoints.getEvents, async (request, params) => {
    const {server, actor} = request;
    if (params.queue_id === undefined) {
      if (!params.dont_block || actor === undefined) throw badRequest("Missing 'queue_id' argument");
      const {id} = server.queues.create(actor.id, queueOptions(request));
      return {events: [], queue_id: id, idle_queue_timeout_secs: defaultIdleSeconds};
    }
    if (params.last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument");
    const queue = findQueue(server, params.queue_id, actor?.id);
    queue.lastSeenAt = server.clock.monotonic();
    const problem = queue.acknowledge(params.last_event_id);
    if (problem === 'pruned') {
      throw badRequest(`An event newer than ${params.last_event_id} has already been pruned!`);
    }
    if (problem === 'unknown') throw badRequest(`Event ${params.last_event_id} was not in this queue`);
    const events = params.dont_block ? queue.eventsJson() : await nextEvents(server, queue, request);
    queue.lastSeenAt = server.clock.monotonic();
    return new JsonText(`"events":${events},"queue_id":${JSON.stringify(queue.id)}`);
  }),

  route(endpoints.deleteQueue, ({server, actor}, params) =>
    server.queues.delete(findQueue(server, params.queue_id, actor.id)),
  ),
];

/** The options of a queue that was made by asking for its events. */
function queueOptions({server, client}: AsyncRequestContext): QueueOptions {
  return {
    eventTypes: undefined,
    unknownTypes: server.downgrade?.unknownEventTypes,
    applyMarkdown: false,
    clientGravatar: false,
    slimPresence: false,
    allPublicChannels: false,
    capabilities: {notification_settings_null: false},
    accepts: undefined,
    idleTimeoutSeconds: defaultIdleSeconds,
    clientName: client,
  };
}

function findQueue(server: ServerContext, id: string, userId: number | undefined): EventQueue {
  const queue = userId === undefined ? undefined : server.queues.find(id, userId);
  if (queue === undefined) {
    throw new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${id}`, 400, {queue_id: id});
  }
  return queue;
}

/** Resolves when there are events, when the heartbeat is due, or when the client disconnects. */
function nextEvents(server: ServerContext, queue: EventQueue, request: AsyncRequestContext): Promise<string> {
  return new Promise((resolve, reject) => {
    const waiter = {
      respond: finish,
      refuse(error: Error) {
        stopListening();
        reject(error);
      },
    };
    const stopHeartbeat = server.clock.after(server.queues.heartbeatDelay(server.random), () => {
      queue.push(heartbeat);
    });
    function stopListening(): void {
      stopHeartbeat();
      removeDisconnectListener();
    }
    function finish(eventsJson: string): void {
      stopListening();
      resolve(eventsJson);
    }
    function disconnect(): void {
      queue.stopWaiting(waiter);
      finish('[]');
    }
    const removeDisconnectListener = request.onDisconnect(disconnect);
    queue.wait(waiter);
  });
}

const heartbeat = '"type":"heartbeat"}';
