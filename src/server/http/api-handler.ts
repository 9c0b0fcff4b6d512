import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ActionContext, ReadContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {
  ApiError,
  asApiError,
  badRequest,
  notLoggedIn,
  rateLimitHit,
  serverStopping,
  unauthorized,
  unlessRefused,
} from '#server/errors.ts';
import {auditedChanges, auditedValues} from '#server/operator/audited-values.ts';
import {recordAdministration, recordAfterwards, targetAndFields} from '#server/organization/administration-log.ts';
import {paramDecoder} from '#server/param-decoder.ts';
import {canCreateGroups} from '#server/permissions/group.ts';
import {isGuest, requireAdministrator, requireOwner} from '#server/permissions/has-permission.ts';
import {requireSpectator} from '#server/permissions/spectator.ts';
import type {RateLimitResult} from '#server/rate-limiter.ts';
import type {Access, AsyncRequestContext, Route, RouteResult} from '#server/route.ts';
import {runInSlices} from '#server/run-action.ts';
import {checkUploadQuota} from '#server/uploads/upload-quota.ts';
import {getEvents} from '#wire/endpoints/session.ts';
import {botTypes} from '#wire/objects/user.ts';
import {authenticate, claimedEmail, clientName, keyOwner, requireStillActive} from './auth.ts';
import {errorJson, type ResponseHeaders, sendJson, successJson} from './json-response.ts';
import {apiPrefix, type ListenerOptions, type RequestHandler} from './listener-options.ts';
import {browserPrefix, clientNetwork, type RequestTarget} from './request-address.ts';
import {hasSmallBody, type RequestBody, readBody, skipBody} from './request-body.ts';
import {eventOf, originOf, refusalEvent} from './server-events.ts';

/**
 * Returns the handler of an API route: checks credentials and rate limit, decodes parameters, runs the route, responds.
 */
export function apiHandler(options: ListenerOptions, route: Route): RequestHandler {
  const {endpoint} = route;
  const event = eventOf(endpoint);
  let decodeParams: ReturnType<typeof paramDecoder> | undefined;
  const rest = Object.keys(endpoint.params).find((name) => endpoint.params[name]?.rest === true);
  return async (request, response, path, target) => {
    const headers: ResponseHeaders = {};
    const fault = options.faults?.take(endpoint.method, target.path.slice(apiPrefix.length));
    if (fault !== undefined && (await fault.beforeRoute(request, response))) return;
    let body: RequestBody | undefined;
    let actor: UserRow | undefined;
    const origin = () => originOf(request, apiPrefix + endpoint.path, path, options.trustsProxy);
    try {
      // With a large body, credentials are checked before reading it, so that only authenticated clients can send one,
      // and again after it, because the user may have been deactivated by then. A small body needs one check.
      const isLarge = endpoint.upload || !hasSmallBody(request);
      const early = isLarge ? identify(options, route, request, target, headers) : undefined;
      // Before the body arrives, so that nothing of a file that is too large is written to the disk.
      const announced = Math.max(0, Number(request.headers['content-length'] ?? 0) - multipartOverhead);
      if (endpoint.upload && early) checkUploadQuota(options, early, announced);
      const {clock, files} = options.server;
      const isAnonymous = isLarge && early === undefined;
      body = await readBody(request, clock, isAnonymous, endpoint.upload ? files : undefined, options.uploadLimit);
      await fault?.afterBody(response);
      actor = isLarge
        ? early && requireStillActive(options.server, early)
        : identify(options, route, request, target, headers);
      decodeParams ??= paramDecoder(endpoint, options.server.level);
      const {params, ignored} = decodeParams(
        rest === undefined ? path : {...path, [rest]: path['*']},
        body.fields,
        target.query,
      );
      options.server.downgrade?.request(endpoint.id, params, actor);
      // Each route pairs an endpoint with functions of that endpoint's parameters, which `decodeParams` checked.
      const count = route.countsAs?.(params as never) ?? 1;
      if (count > 1 && actor !== undefined) takeRequests(options, endpoint, actor, headers, count - 1);
      const isAdministration = event === 'administration' && actor !== undefined;
      const audit = isAdministration ? startAudit(options.server, endpoint.path, params) : undefined;
      const result = (await runRoute(options, route, {request, response, body, actor, audit}, params)) ?? {};
      if (audit !== undefined && route.kind !== 'sync') {
        recordAfterwards(() => options.server.runAction((act) => noteAdministration(act, route, actor, audit)));
      }
      // The response to a login names its user.
      const loggedIn = 'user_id' in result && typeof result.user_id === 'number' ? result.user_id : undefined;
      if (event !== undefined) options.onEvent({event, ...origin(), user: actor?.id ?? loggedIn});
      if (response.destroyed) return;
      const shown = options.server.downgrade?.response(endpoint.id, result) ?? result;
      const text = successJson(shown, options.server.downgrade?.reportsIgnoredParams === false ? [] : ignored);
      if (fault?.afterCommit(response, [text].flat().join(''))) return;
      sendJson(request, response, 200, text, headers);
    } catch (error) {
      // A file that no route stored is deleted before the error response, so that nothing of it is left by then.
      await body?.upload?.file.discard();
      // The rest of an unread body would be parsed as the next request on this connection.
      if (!request.complete) headers.connection = 'close';
      skipBody(request);
      const isStopped = !options.server.db.isOpen;
      const refusal = isStopped ? serverStopping() : asApiError(error);
      if (refusal === undefined) throw error;
      const login = body?.fields.get('username') ?? undefined;
      const account = isStopped ? {} : refusedAccount(options.server, request, actor, login);
      const refused = refusalEvent(origin(), refusal, account);
      if (refused !== undefined) options.onEvent(refused);
      const shown = options.server.downgrade?.error(refusal) ?? refusal;
      if (shown.status === 401) headers['www-authenticate'] = 'Basic realm="zulip"';
      const retryAfter = shown.extra['retry-after'];
      if (typeof retryAfter === 'number') headers['retry-after'] = retryAfter;
      sendJson(request, response, shown.status, errorJson(shown), headers);
    }
  };
}

/** Checks credentials and rate limit, and fills the rate-limit headers, which every response has. */
function identify(
  options: ListenerOptions,
  {endpoint, access}: Route,
  request: IncomingMessage,
  target: RequestTarget,
  headers: ResponseHeaders,
): UserRow | undefined {
  const header = request.headers.authorization;
  const anonymous = access === 'public' || (access === 'visitor' && header === undefined);
  const actor = anonymous ? undefined : authenticateOrCount(options, endpoint, request, target, headers);
  if (actor === undefined) {
    const limit = options.limits?.byAddress.take(clientNetwork(request, options.trustsProxy));
    if (limit !== undefined) applyLimit(limit, headers);
  } else {
    takeRequests(options, endpoint, actor, headers, 1);
    const {server} = options;
    const act = {server, now: Math.floor(server.clock.now() / 1000)};
    checkAccess(act, access, server.downgrade?.actor(endpoint.id, actor) ?? actor);
  }
  return actor;
}

/** Counts requests of a user. */
function takeRequests(
  options: ListenerOptions,
  endpoint: Route['endpoint'],
  actor: UserRow,
  headers: ResponseHeaders,
  count: number,
): void {
  // Polls have a limit of their own, so that many events do not use up the user's other requests.
  const limit = options.limits?.byUser.take(`${actor.id} ${endpoint.id === getEvents.id ? 'poll' : 'call'}`, count);
  if (limit !== undefined) applyLimit(limit, headers);
}

/** The most that a multipart body has besides its file. */
const multipartOverhead = 64 * 1024;

/** Authenticates the request. Failures count against the address, so that keys cannot be guessed without limit. */
function authenticateOrCount(
  options: ListenerOptions,
  {auth}: Route['endpoint'],
  request: IncomingMessage,
  {query}: RequestTarget,
  headers: ResponseHeaders,
): UserRow {
  try {
    if (auth === 'key') return keyOwner(options.server, query.get('api_key'));
    return authenticate(options.server, request.headers.authorization);
  } catch (error) {
    const limit = options.limits?.byAddress.take(clientNetwork(request, options.trustsProxy));
    if (limit !== undefined) applyLimit(limit, headers);
    throw error;
  }
}

function applyLimit(limit: RateLimitResult, headers: ResponseHeaders): void {
  headers['x-ratelimit-limit'] = limit.limit;
  headers['x-ratelimit-remaining'] = limit.remaining;
  headers['x-ratelimit-reset'] = limit.resetAt;
  if (limit.allowed) return;
  headers['retry-after'] = limit.retryAfter;
  throw rateLimitHit(limit.retryAfter);
}

function runRoute(
  {server, trustsProxy}: ListenerOptions,
  route: Route,
  {
    request,
    response,
    body,
    actor,
    audit,
  }: {
    request: IncomingMessage;
    response: ServerResponse;
    body: RequestBody;
    actor: UserRow | undefined;
    audit: Audit | undefined;
  },
  params: Record<string, unknown>,
): RouteResult | Promise<RouteResult> {
  const client = clientName(request.headers['user-agent']);
  // Each route pairs an endpoint with a function of that endpoint's parameters, which `decodeParams` checked.
  const checked = params as never;
  if (route.kind !== 'async') {
    // Visitors read with a browser only, as on Zulip's servers.
    const isVisitor = route.access === 'visitor' && request.url?.startsWith(browserPrefix) === true;
    if (actor === undefined && !isVisitor) throw notLoggedIn();
    const viewer = actor ?? requireSpectator(server);
    const shownActor = server.downgrade?.actor(route.endpoint.id, viewer) ?? viewer;
    const callOf = (act: ActionContext) => ({...act, actor: shownActor, client});
    if (route.kind === 'sync') {
      return server.runAction((act) => {
        const result = route.run(callOf(act), checked);
        if (audit !== undefined) noteAdministration(act, route, actor, audit);
        return result;
      });
    }
    return runInSlices(server, (act) => route.run(callOf(act), checked));
  }
  const context: AsyncRequestContext = {
    server,
    actor,
    client,
    address: clientNetwork(request, trustsProxy),
    headers: request.headers,
    bodyText: body.text,
    upload: body.upload,
    hasSeveralFiles: body.hasSeveralFiles === true,
    onDisconnect(task) {
      const listener = () => {
        if (!response.writableEnded) task();
      };
      response.once('close', listener);
      return () => void response.off('close', listener);
    },
    runAction(action) {
      if (actor === undefined) throw notLoggedIn();
      return server.runAction((act) => action({...act, actor, client}));
    },
  };
  return route.run(context, checked);
}

/** What is known before an administrator changes something. */
type Audit = ReturnType<typeof startAudit>;

function startAudit(server: ServerContext, path: string, params: Readonly<Record<string, unknown>>) {
  const {target, fields} = targetAndFields(path, params);
  const own = Object.fromEntries(fields.map((name) => [name, params[name]]));
  return {target, fields, params: own, before: auditedValues({server}, target)};
}

/** Keeps what an administrator changed, in the action that changes it if that is one. */
function noteAdministration(
  act: ActionContext,
  {endpoint}: Route,
  actor: UserRow | undefined,
  {target, fields, params, before}: Audit,
): void {
  if (actor === undefined) return;
  const changes = auditedChanges(before, auditedValues(act, target), params);
  recordAdministration(act.db, {userId: actor.id, at: act.now, action: endpoint.id, target, fields, changes});
}

/** Returns the account of a refused request: of its valid credentials, or the one that it claimed to be. */
function refusedAccount(
  server: ServerContext,
  {headers: {authorization}}: IncomingMessage,
  actor: UserRow | undefined,
  login: string | undefined,
): {readonly user?: number | undefined; readonly claimed?: number | undefined} {
  if (actor !== undefined) return {user: actor.id};
  try {
    const user = unlessRefused(() => authenticate(server, authorization));
    if (user !== undefined) return {user: user.id};
    const claimed = claimedEmail(authorization) ?? login;
    return {claimed: claimed === undefined ? undefined : findUserByEmail(server.db, claimed)?.id};
  } catch {
    // The request may have been refused because accounts cannot be read.
    return {};
  }
}

/** Throws unless the user may call the endpoint at all. This is checked before the parameters, as on Zulip's servers. */
function checkAccess(act: ReadContext, access: Access, user: UserRow): void {
  if (user.bot_type === botTypes.incomingWebhook && access !== 'webhook') {
    throw unauthorized('This API is not available to incoming webhook bots.');
  }
  if (access === 'owner') requireOwner(user);
  if (access === 'admin') requireAdministrator(user);
  if (access === 'bot' && user.is_bot === 0) throw new ApiError('PERMISSION_DENIED', 'Must be a bot user');
  const isForMembers = access === 'member' || access === 'member-person' || access === 'group-creator';
  if (isForMembers && isGuest(user)) throw badRequest('Not allowed for guest users');
  const isForPeople = access === 'person' || access === 'member-person';
  if (isForPeople && user.is_bot === 1) throw badRequest('This endpoint does not accept bot requests.');
  if (access === 'group-creator' && !canCreateGroups(act, user)) throw badRequest('Insufficient permission');
}
