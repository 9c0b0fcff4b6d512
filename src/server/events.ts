import {fold, type UserRow} from '#server/db/rows.ts';
import type {EventQueue, NarrowedMessage, QueueOptions} from '#server/event-queues/event-queues.ts';
import {requireStillActive} from '#server/http/auth.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {requireSpectator} from '#server/permissions/spectator.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {normalizeTerm} from '#wire/narrow.ts';
import {isResolvedTopic} from '#wire/objects/channel.ts';
import type {ActionContext, RequestContext, ServerAccess, ServerContext} from './context.ts';
import {ApiError, badNarrow, badRequest, check} from './errors.ts';
import {JsonText} from './json-text.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from './route.ts';
import {runInSlices} from './run-action.ts';
import {keysChangedByEvents, snapshot, snapshotParts, updatedSnapshot} from './snapshot.ts';
import {versionFields} from './version.ts';

export const eventsRoutes: readonly Route[] = [
  asyncRoute(endpoints.getEvents, 'account', async (request, params) => {
    const {server, actor} = request;
    if (params.queue_id === undefined) {
      check(params.dont_block, "Missing 'queue_id' argument");
      const {id} = server.queues.create(actor.id, defaultQueueOptions(request));
      return {events: [], queue_id: id, idle_queue_timeout_secs: defaultIdleSeconds};
    }
    check(params.last_event_id !== undefined, "Missing 'last_event_id' argument");
    const queue = findQueue(server, params.queue_id, actor.id);
    queue.lastSeenAt = server.clock.monotonic();
    const problem = queue.acknowledge(params.last_event_id);
    check(problem !== 'pruned', `An event newer than ${params.last_event_id} has already been pruned!`);
    check(problem !== 'unknown', `Event ${params.last_event_id} was not in this queue`);
    const events = params.dont_block ? queue.eventsJson() : await nextEvents(server, queue, request);
    queue.lastSeenAt = server.clock.monotonic();
    return new JsonText(`"events":${events},"queue_id":${JSON.stringify(queue.id)}`);
  }),

  route(endpoints.deleteQueue, 'account', ({server, actor}, params) =>
    server.queues.delete(findQueue(server, params.queue_id, actor.id)),
  ),
  asyncRoute(
    endpoints.register,
    'visitor',
    async (request, params) =>
      request.actor === undefined
        ? request.server.runAction((act) => registerSpectator(act, request.client, params))
        : registerInTurn(request, request.actor, params),
    {countsAs: (params) => (stateTypes(params)?.has('message') === false ? 1 : requestsPerRegistration)},
  ),
];

/** The options of a queue that was made by asking for its events. */
function defaultQueueOptions({server, client}: AsyncRequestContext): QueueOptions {
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

function findQueue(server: ServerContext, id: string, userId: number): EventQueue {
  const queue = server.queues.find(id, userId);
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
      queue.stopWaiting();
      finish('[]');
    }
    const removeDisconnectListener = request.onDisconnect(disconnect);
    queue.wait(waiter);
  });
}

const heartbeat = '"type":"heartbeat"}';

type RegisterParams = ParamsOf<typeof endpoints.register>;

/** A registration with the unread messages costs as much as so many other requests. */
const requestsPerRegistration = 5;

/** Returns the fetch types that a client names; undefined means all. */
function stateTypes({fetch_event_types, event_types}: RegisterParams): ReadonlySet<string> | undefined {
  const types = fetch_event_types ?? event_types;
  return types === undefined ? undefined : new Set(types);
}

const defaultIdleSeconds = 600;
const mobileIdleSeconds = 43_200;
const maxIdleSeconds = 604_800;
const defaultPresenceDays = 14;

/** Older levels change the state, so theirs has no encoded parts. */
function encodedState({downgrade}: ServerContext, state: RegistrationState): RegistrationState | JsonText {
  return downgrade === undefined ? JsonText.of(state) : state;
}

type RegistrationState = Record<string, unknown> & {queue_id: string | null; last_event_id: number};

/** The fetch types that a visitor without an account gets: those that contain no user data. */
const spectatorFetchTypes: ReadonlySet<string> = new Set([
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'subscription',
  'stream',
  'channel_folders',
  'user_settings',
  'stop_words',
]);

/** Returns the public part of the state, without a queue, for a client without credentials. */
function registerSpectator(act: ActionContext, client: string, params: RegisterParams): RegistrationState {
  const viewer = requireSpectator(act.server);
  if (params.client_gravatar === true) throw notForSpectators('client_gravatar');
  if (params.include_subscribers !== 'false') throw notForSpectators('include_subscribers');
  const requestedTypes = params.fetch_event_types ?? params.event_types ?? [...spectatorFetchTypes];
  const state = snapshot({
    act,
    viewer,
    options: {...queueOptions({...act, client}, params), clientGravatar: false},
    includeSubscribers: 'false',
    presenceHistoryDays: 0,
    fetchTypes: knownTypes(act, requestedTypes).intersection(spectatorFetchTypes),
  });
  return {queue_id: null, last_event_id: -1, ...versionFields(act.server), ...state};
}

function notForSpectators(name: string): ApiError {
  return badRequest(`Invalid '${name}' parameter for anonymous request`);
}

/** Registers when those who came before have; nobody waits for a client that is gone by then. */
async function registerInTurn(
  request: AsyncRequestContext,
  actor: UserRow,
  params: RegisterParams,
): Promise<RegistrationState | JsonText> {
  const {server} = request;
  let isGone = false;
  const stopListening = request.onDisconnect(() => {
    isGone = true;
  });
  return server.registrations.run(actor.id, async () => {
    stopListening();
    check(!isGone, 'The request was cut off.');
    return encodedState(server, await register(request, requireStillActive(server, actor), params));
  });
}

/**
 * Creates a queue and answers with a state. If the state takes long, other requests run while it is made, and its keys
 * that their events changed are made again; the queue continues after these events. A test can put requests there.
 */
async function register(
  request: AsyncRequestContext,
  actor: UserRow,
  params: RegisterParams,
): Promise<RegistrationState> {
  const {server} = request;
  if (params.all_public_streams && isGuest(actor)) throw badRequest('User not authorized for this query');
  const options = queueOptions(request, params);
  const requestedTypes = stateTypes(params);
  const fetchTypes = requestedTypes && knownTypes(request, requestedTypes);
  const requestOf = (act: ActionContext, viewer: UserRow) => ({
    act,
    viewer,
    options,
    includeSubscribers: params.include_subscribers,
    presenceHistoryDays: params.presence_history_limit_days ?? defaultPresenceDays,
    fetchTypes,
  });
  const queue = server.queues.create(actor.id, options);
  const parts = await runInSlices(server, (act) => snapshotParts(requestOf(act, actor)));
  await server.duringRegistration?.(actor.id);
  const viewer = requireStillActive(server, actor);
  return server.runAction((act) => ({
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    idle_queue_timeout_secs: options.idleTimeoutSeconds,
    ...versionFields(server),
    ...updatedSnapshot(parts, keysChangedByEvents(queue.pendingTypes(), fetchTypes), requestOf(act, viewer)),
  }));
}

function queueOptions(call: Pick<RequestContext, 'server' | 'client'>, params: RegisterParams): QueueOptions {
  const capabilities = params.client_capabilities ?? {notification_settings_null: false};
  return {
    eventTypes: params.event_types === undefined ? undefined : knownTypes(call, params.event_types),
    unknownTypes: call.server.downgrade?.unknownEventTypes,
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar ?? true,
    slimPresence: params.slim_presence,
    allPublicChannels: params.all_public_streams,
    capabilities: call.server.downgrade?.capabilities(capabilities) ?? capabilities,
    accepts: narrowTest(params.narrow),
    idleTimeoutSeconds: idleSeconds(params.idle_queue_timeout),
    clientName: call.client,
  };
}

/** Removes the event types that a server of this feature level does not have. */
function knownTypes({server}: ServerAccess, types: Iterable<string>): ReadonlySet<string> {
  return new Set([...types].filter((type) => server.downgrade?.unknownEventTypes.has(type) !== true));
}

function idleSeconds(requested: number | 'mobile' | undefined): number {
  if (requested === 'mobile') return mobileIdleSeconds;
  return Math.min(Math.max(requested ?? defaultIdleSeconds, 1), maxIdleSeconds);
}

/** Returns a filter for the queue's messages. It supports few operators and throws for others. */
function narrowTest(narrow: RegisterParams['narrow']): ((message: NarrowedMessage) => boolean) | undefined {
  const tests = narrow.map((raw) => {
    const {operator, operand, negated} = normalizeTerm(raw);
    const text = String(operand);
    if (negated === true) throw badNarrow('Negation is not supported here');
    switch (operator) {
      case 'channel':
        return (message: NarrowedMessage) =>
          message.channelId !== undefined &&
          (String(message.channelId) === text || fold(message.channelName ?? '') === fold(text));
      case 'topic':
        return (message: NarrowedMessage) => !message.isDirect && fold(message.topic) === fold(text);
      case 'sender':
        return (message: NarrowedMessage) =>
          fold(message.senderEmail) === fold(text) || String(message.senderId) === text;
      case 'is':
        check(text !== 'followed', `Operand ${text} not supported.`);
        return (message: NarrowedMessage) => matchesIs(message, text);
      default:
        throw badRequest(`Operator ${operator} not supported.`);
    }
  });
  return tests.length === 0 ? undefined : (message) => tests.every((test) => test(message));
}

function matchesIs(message: NarrowedMessage, operand: string): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.isDirect;
    case 'unread':
      return !message.flags.includes('read');
    case 'alerted':
    case 'mentioned':
      return message.flags.includes('mentioned');
    case 'starred':
      return message.flags.includes('starred');
    case 'resolved':
      return !message.isDirect && isResolvedTopic(message.topic);
    default:
      // Other operands exclude nothing.
      return true;
  }
}
