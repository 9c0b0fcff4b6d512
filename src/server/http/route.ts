import type {RequestContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {ReceivedFile} from '#server/uploads/file-store.ts';
import type {Endpoint, ParamsOf, ResultOf} from '#wire/endpoint.ts';
import type {JsonText} from './json-text.ts';

export interface Upload {
  readonly filename: string;
  readonly contentType: string;
  readonly file: ReceivedFile;
}

/** A request as the asynchronous routes see it: not inside a transaction. */
export interface AsyncRequestContext {
  readonly world: ServerContext;
  readonly actor: UserRow | undefined;
  readonly client: string;
  readonly address: string;
  readonly upload: Upload | undefined;
  /** Runs `task` if the client goes away before it is answered; the returned function takes that back. */
  onDisconnect(task: () => void): () => void;
  /** One transaction; events leave after it. Refuses when nobody is signed in. */
  runAction<T>(body: (call: RequestContext) => T): T;
}

type ResponseBody = Readonly<Record<string, unknown>> | JsonText;

export type Route = {
  readonly endpoint: Endpoint;
} & (
  | {
      readonly kind: 'sync';
      readonly run: (call: RequestContext, params: never) => ResponseBody;
      readonly defersMessageWork: boolean;
    }
  | {
      readonly kind: 'async';
      readonly run: (visit: AsyncRequestContext, params: never) => Promise<ResponseBody>;
    }
);

// biome-ignore lint/suspicious/noExplicitAny: endpoints of different params and results share one table
type AnyEndpoint = Endpoint<any, any>;

/** The ordinary route: runs inside one transaction, synchronously, for a signed-in user. */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  run: (call: RequestContext, params: ParamsOf<E>) => ResultOf<E> | JsonText,
): Route {
  return {
    endpoint,
    kind: 'sync',
    run: run as (call: RequestContext, params: never) => ResponseBody,
    defersMessageWork: false,
  };
}

/** The one route that may leave debts (see `arrivals.ts`): it looks at nothing that is owed. */
export function deferringRoute<E extends AnyEndpoint>(
  endpoint: E,
  run: (call: RequestContext, params: ParamsOf<E>) => ResultOf<E> | JsonText,
): Route {
  return {
    endpoint,
    kind: 'sync',
    run: run as (call: RequestContext, params: never) => ResponseBody,
    defersMessageWork: true,
  };
}

/** For what waits (long polls, uploads, password hashing) or needs nobody signed in. */
export function asyncRoute<E extends AnyEndpoint>(
  endpoint: E,
  run: (visit: AsyncRequestContext, params: ParamsOf<E>) => Promise<ResultOf<E> | JsonText>,
): Route {
  return {
    endpoint,
    kind: 'async',
    run: run as (visit: AsyncRequestContext, params: never) => Promise<ResponseBody>,
  };
}

/** Something outside `/api/v1`: files, avatars, the emoji table. */
export interface WebRoute {
  readonly method: 'GET' | 'POST';
  /** find-my-way syntax. */
  readonly path: string;
  readonly run: (request: WebRequest) => Promise<WebResponse>;
}

export interface WebRequest {
  readonly world: ServerContext;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Text of a POST; empty otherwise. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whoever the request's credentials name (Basic, or `?api_key=`), if they are right. */
  readonly actor: UserRow | undefined;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | NodeJS.ReadableStream;
}
