import {resolveChannelRecipient} from '#server/actions/inputs.ts';
import {sendMessage, sendNotice} from '#server/actions/messages/send-message.ts';
import type {RequestContext, ServerContext} from '#server/context.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {ApiError, missingParam} from '#server/errors.ts';
import {RateLimiter} from '#server/rate-limiter.ts';
import {type AsyncRequestContext, asyncRoute, type Route} from '#server/route.ts';
import {githubWebhook} from '#server/webhooks/github/github.ts';
import {endpoint, fallback, flag, json, optional, type ParamsOf, text} from '#wire/endpoint.ts';
import {s} from '#wire/schema.ts';
import {serviceTemplates} from './services.ts';
import {
  jsonWebhook,
  matchesPattern,
  slackWebhook,
  templateWebhook,
  type Webhook,
  type WebhookMessage,
} from './webhook.ts';

/** The webhooks by the last part of their URL. */
const webhooks: Readonly<Record<string, Webhook>> = {
  github: githubWebhook,
  ...Object.fromEntries(Object.entries(serviceTemplates).map(([path, service]) => [path, templateWebhook(service)])),
  json: jsonWebhook,
  slack_incoming: slackWebhook,
};

export const webhookRoutes: readonly Route[] = Object.entries(webhooks).map(([path, webhook]) =>
  asyncRoute(webhookEndpoint(path), 'webhook', async (request, params) => {
    receive(request, params, webhook);
  }),
);

/** Other services call this endpoint, not Parley's client: it is not in the table of `wire/`. */
function webhookEndpoint(path: string) {
  const patterns = optional(json(s.array(s.string())));
  return endpoint('webhook.receive', `POST /external/${path}`, {
    auth: 'key',
    params: {
      api_key: text,
      stream: optional(text),
      topic: optional(text),
      only_events: patterns,
      exclude_events: patterns,
      payload: optional(text),
      branches: optional(text),
      topic_template: optional(text),
      content_template: optional(text),
      ignore_private_repositories: fallback(flag, false),
    },
  });
}

type WebhookParams = ParamsOf<ReturnType<typeof webhookEndpoint>>;

function receive(request: AsyncRequestContext, params: WebhookParams, webhook: Webhook): void {
  try {
    request.runAction((call) => {
      const message = webhook.message({
        call,
        headers: request.headers,
        bodyText: request.bodyText,
        payloadField: params.payload,
        topic: params.topic,
        branches: params.branches,
        templates: {topic: params.topic_template, content: params.content_template},
        ignorePrivateRepositories: params.ignore_private_repositories,
      });
      if (message !== undefined && isWanted(params, message)) deliver(call, params, message, webhook);
    });
  } catch (error) {
    const problem = error instanceof ApiError ? problemForOwner(error, webhook) : undefined;
    if (problem !== undefined) request.runAction((call) => notifyOwner(call, problem));
    // As on Zulip's servers, only the bot's owner learns of it.
    if (error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST') return;
    throw error;
  }
}

function isWanted({only_events: only, exclude_events: excluded = []}: WebhookParams, {event}: WebhookMessage): boolean {
  if (event === undefined) return true;
  const matches = (pattern: string) => matchesPattern(pattern, event);
  return (only === undefined || only.some(matches)) && !excluded.some(matches);
}

function deliver(call: RequestContext, params: WebhookParams, message: WebhookMessage, webhook: Webhook): void {
  const {actor} = call;
  sendMessage(call, actor, {
    destination:
      params.stream === undefined
        ? {kind: 'direct', userIds: [ownerOf(call)]}
        : {kind: 'channel', channel: channelOf(call, params.stream), topic: params.topic ?? message.topic},
    content: message.content,
    client: `Zulip${webhook.name}Webhook`,
  });
}

function channelOf(call: RequestContext, stream: string): ChannelRow {
  return resolveChannelRecipient(call, call.actor, /^\d{1,15}$/.test(stream) ? Number(stream) : stream);
}

/** Returns the id of the user who gets messages without a channel. The keys of people work too, and these have no owner. */
function ownerOf({actor}: RequestContext): number {
  if (actor.bot_owner_id === null) throw missingParam('stream');
  return actor.bot_owner_id;
}

/** Returns what the bot's owner must know about a refused request: they configured the service. */
function problemForOwner({code, message}: ApiError, {name}: Webhook): string | undefined {
  switch (code) {
    case 'STREAM_DOES_NOT_EXIST':
      return `${message}, so a message was not delivered`;
    case 'INVALID_JSON':
      return `the ${name} webhook received something other than JSON; check the content type in the service that sends it`;
    case 'MISSING_HTTP_EVENT_HEADER':
      return `${message}; check that the address belongs to the service that sends it`;
    default:
      return undefined;
  }
}

const noticePeriodSeconds = 300;
const noticeLimits = new WeakMap<ServerContext, RateLimiter>();

/** Tells the bot's owner about a problem, at most once in five minutes. */
function notifyOwner(call: RequestContext, problem: string): void {
  const {server, actor} = call;
  const limit = noticeLimits.get(server) ?? new RateLimiter(server.clock, 1, noticePeriodSeconds);
  noticeLimits.set(server, limit);
  if (actor.bot_owner_id === null || !limit.take(String(actor.id)).allowed) return;
  const destination = {kind: 'direct', userIds: [actor.bot_owner_id]} as const;
  sendNotice(call, destination, `A problem with your bot @_**${actor.full_name}|${actor.id}**: ${problem}.`);
}
