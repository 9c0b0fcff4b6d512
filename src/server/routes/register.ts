import type {Call} from '#server/call.ts';
import {fold} from '#server/db/rows.ts';
import type {NarrowSubject, QueueOptions} from '#server/events/queue.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {asyncRoute, type Route} from '#server/http/route.ts';
import {isGuest} from '#server/permissions/holds.ts';
import {snapshot} from '#server/snapshot.ts';
import {versionFields} from '#server/version.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {normalTerm} from '#wire/narrow.ts';
import type {Capabilities} from '#wire/register.ts';

type Params = ParamsOf<typeof endpoints.register>;

const defaultIdleSeconds = 600;
const mobileIdleSeconds = 43_200;
const longestIdleSeconds = 604_800;
const defaultPresenceDays = 14;

export const registerRoutes: readonly Route[] = [
  asyncRoute(endpoints.register, async (visit, params) => visit.act((call) => register(call, params))),
];

function register(
  call: Call,
  params: Params,
): Record<string, unknown> & {queue_id: string; last_event_id: number} {
  const {world, actor} = call;
  const options = queueOptions(call, params);
  // Queue first, then the snapshot: both happen in this one synchronous transaction, so nothing falls between.
  const queue = world.queues.create(actor.id, options);
  const wanted = params.fetch_event_types ?? params.event_types;
  const state = snapshot({
    act: call,
    viewer: actor,
    options,
    includeSubscribers: params.include_subscribers,
    presenceHistoryDays: params.presence_history_limit_days ?? defaultPresenceDays,
    fetchTypes: wanted === undefined ? undefined : knownTypes(call, wanted),
  });
  return {
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    idle_queue_timeout_secs: options.idleTimeoutSeconds,
    ...versionFields(world),
    ...state,
  };
}

function queueOptions(call: Call, params: Params): QueueOptions {
  if (params.all_public_streams && isGuest(call.actor))
    throw badRequest('User not authorized for this query');
  return {
    eventTypes: params.event_types === undefined ? undefined : knownTypes(call, params.event_types),
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    slimPresence: params.slim_presence,
    allPublicChannels: params.all_public_streams,
    includeSubscribers: params.include_subscribers !== 'false',
    capabilities: knownCapabilities(call, params.client_capabilities ?? {}),
    accepts: narrowTest(params.narrow),
    idleTimeoutSeconds: idleSeconds(params.idle_queue_timeout),
    clientName: call.client,
  };
}

/** An older server has never heard of the newer ones. */
function knownTypes({world}: Call, types: readonly string[]): ReadonlySet<string> {
  return new Set(types.filter((type) => world.past?.unknownEventTypes.has(type) !== true));
}

function knownCapabilities({world}: Call, capabilities: Capabilities): Capabilities {
  const known = Object.entries(capabilities).filter(
    ([name]) => world.past?.unknownCapabilities.has(name) !== true,
  );
  return Object.fromEntries(known);
}

function idleSeconds(asked: number | 'mobile' | undefined): number {
  if (asked === 'mobile') return mobileIdleSeconds;
  return Math.min(Math.max(asked ?? defaultIdleSeconds, 1), longestIdleSeconds);
}

const isOperands = new Set(['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved']);

/** The few operators that a queue's own filter knows; anything else is refused at once. */
function narrowTest(narrow: Params['narrow']): ((message: NarrowSubject) => boolean) | undefined {
  const tests = narrow.map((raw) => {
    const {operator, operand, negated} = normalTerm(raw);
    const text = String(operand);
    if (negated === true) throw badNarrow('Negation is not supported here');
    switch (operator) {
      case 'channel':
        return (message: NarrowSubject) =>
          message.channelId !== undefined &&
          (String(message.channelId) === text || fold(message.channelName ?? '') === fold(text));
      case 'topic':
        return (message: NarrowSubject) => !message.isDirect && fold(message.topic) === fold(text);
      case 'sender':
        return (message: NarrowSubject) =>
          fold(message.senderEmail) === fold(text) || String(message.senderId) === text;
      case 'is':
        if (!isOperands.has(text)) throw badNarrow(`Operand ${text} is not supported here`);
        return (message: NarrowSubject) => matchesIs(message, text);
      default:
        throw badNarrow(`Operator ${operator} is not supported here`);
    }
  });
  return tests.length === 0 ? undefined : (message) => tests.every((test) => test(message));
}

function matchesIs(message: NarrowSubject, operand: string): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.isDirect;
    case 'unread':
      return !message.flags.includes('read');
    case 'alerted':
      return message.flags.includes('has_alert_word');
    case 'mentioned':
      return message.flags.includes('mentioned') || message.flags.includes('wildcard_mentioned');
    case 'resolved':
      return !message.isDirect && message.topic.startsWith('✔ ');
    default:
      return message.flags.includes(operand);
  }
}

function badNarrow(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, 400, {desc: description});
}
