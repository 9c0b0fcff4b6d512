import type {IncomingHttpHeaders} from 'node:http';
import type {UserRow} from '#server/db/rows.ts';
import type {ServerEvent} from '#server/http/server-events.ts';
import type {ReceivedFile} from '#server/uploads/file-store.ts';
import type {Endpoint, ParamsOf, ResultOf} from '#wire/endpoint.ts';
import type {RequestContext, ServerContext} from './context.ts';
import type {JsonText} from './json-text.ts';

export interface Upload {
  readonly filename: string;
  readonly contentType: string;
  readonly file: ReceivedFile;
}

/** The context of a request to an asynchronous route, outside of a transaction. */
export interface AsyncRequestContext<A extends UserRow | undefined = UserRow | undefined> {
  readonly server: ServerContext;
  readonly actor: A;
  readonly client: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** The text of the request's body; empty for multipart. */
  readonly bodyText: string;
  readonly upload: Upload | undefined;
  /** Whether the request has several files; each route says in its own words that it takes one. */
  readonly hasSeveralFiles: boolean;
  /** Runs `task` if the client disconnects before the response; the returned function removes it. */
  onDisconnect(task: () => void): () => void;
  /** Runs an action in one transaction; events are delivered after it. Throws if the client is not authenticated. */
  runAction<T>(body: (call: RequestContext) => T): T;
}

/** The fields of a response besides its result; nothing if there are none. */
export type RouteResult = Readonly<Record<string, unknown>> | JsonText | undefined;

type Run<C, R> = (context: C, params: never) => R;

/**
 * Who may call an endpoint at all; the route itself may refuse more. `public` needs no account, `visitor` allows those without one
 * where the organization does. The others are accounts: `webhook` means all, `account` all except incoming webhooks, which only post
 * messages. Of these, `member` excludes guests, `person` excludes bots, `member-person` excludes both.
 */
export type Access =
  | ('public' | 'visitor' | 'webhook' | 'account' | 'bot' | 'person')
  | ('member' | 'member-person' | 'group-creator' | 'admin' | 'owner');

export type Route = {
  readonly endpoint: Endpoint;
  readonly access: Access;
  /** Returns how many requests one with these parameters counts as for the rate limit, if not one. */
  readonly countsAs?: ((params: never) => number) | undefined;
} & (
  | {readonly kind: 'sync'; readonly run: Run<RequestContext, RouteResult>}
  | {readonly kind: 'sliced'; readonly run: Run<RequestContext, Generator<void, RouteResult>>}
  | {readonly kind: 'async'; readonly run: Run<AsyncRequestContext, Promise<RouteResult>>}
);

// biome-ignore lint/suspicious/noExplicitAny: endpoints of different params and results share one table
type AnyEndpoint = Endpoint<any, any>;

/** The return value of a route: nothing if the result of its endpoint has no fields. */
// biome-ignore lint/suspicious/noConfusingVoidType: actions without a result are called in arrow functions
type RunResult<E extends AnyEndpoint> = JsonText | (keyof ResultOf<E> extends never ? void : ResultOf<E>);

type SyncRun<E extends AnyEndpoint> = (call: RequestContext, params: ParamsOf<E>) => RunResult<E>;

/** Returns an ordinary route, which runs synchronously in one transaction; visitors are the `spectator`. */
export function route<E extends AnyEndpoint>(endpoint: E, access: Exclude<Access, 'public'>, run: SyncRun<E>): Route {
  return {endpoint, access, kind: 'sync', run: run as Run<RequestContext, RouteResult>};
}

/** Returns a route whose work may be long: at each `yield`, other requests may run. See `runInSlices`. */
export function slicedRoute<E extends AnyEndpoint>(
  endpoint: E,
  access: Exclude<Access, 'public'>,
  run: (call: RequestContext, params: ParamsOf<E>) => Generator<void, RunResult<E>>,
): Route {
  return {endpoint, access, kind: 'sliced', run: run as Run<RequestContext, Generator<void, RouteResult>>};
}

/** The user of a request to an asynchronous route, who is known unless it needs no account. */
type ActorOf<A extends Access> = A extends 'public' | 'visitor' ? UserRow | undefined : UserRow;

/** Returns a route that waits (long polls, uploads, password hashing) or needs no account. */
export function asyncRoute<E extends AnyEndpoint, A extends Access>(
  endpoint: E,
  access: A,
  run: (context: AsyncRequestContext<ActorOf<A>>, params: ParamsOf<E>) => Promise<RunResult<E>>,
  {countsAs}: {readonly countsAs?: (params: ParamsOf<E>) => number} = {},
): Route {
  return {endpoint, access, kind: 'async', run: run as Run<AsyncRequestContext, Promise<RouteResult>>, countsAs};
}

/** A route outside `/api/v1`: files, avatars, the emoji table. */
export interface WebRoute {
  readonly method: 'GET' | 'POST';
  /** find-my-way syntax. */
  readonly path: string;
  readonly run: (request: WebRequest) => Promise<WebResponse>;
  /** The limit of requests by one address, if it is not that of pages and files. */
  readonly limit?: 'byAddress';
}

export interface WebRequest {
  readonly server: ServerContext;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** The body text of a POST; empty otherwise. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The user of the request's credentials (Basic, or `?api_key=`), if these are valid. */
  readonly actor: UserRow | undefined;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | NodeJS.ReadableStream;
  /** What the log of the server says about it. */
  readonly event?: Pick<ServerEvent, 'event' | 'user'>;
}
