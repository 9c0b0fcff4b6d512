import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ServerContext} from '#server/context.ts';
import type {RateLimiter} from '#server/rate-limiter.ts';
import type {Route, WebRoute} from '#server/route.ts';
import type {RequestTarget} from './request-address.ts';
import type {ServerEvent} from './server-events.ts';

/** The files of the certificate, with those between it and its authority, and of its key, in the PEM format. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** The routes, limits and services of a listener. */
export interface ListenerOptions {
  readonly server: ServerContext;
  readonly routes: readonly Route[];
  readonly webRoutes: readonly WebRoute[];
  readonly limits:
    | {readonly byUser: RateLimiter; readonly byAddress: RateLimiter; readonly web: RateLimiter}
    | undefined;
  /** Whether a proxy names the client's address. */
  readonly trustsProxy: boolean;
  /** The names of this server besides localhost and addresses. */
  readonly names: readonly string[];
  readonly faults: FaultInjector | undefined;
  readonly uploadLimit: number;
  /** Undefined for plain HTTP. */
  readonly certificate: CertificateFiles | undefined;
  /** Called with every request when it arrives. */
  readonly onRequest?: RequestObserver | undefined;
  readonly log: (line: string, error?: unknown) => void;
  readonly onEvent: (event: ServerEvent) => void;
}

/** `route` has the method and the path with the names of its parameters; undefined if there is no such route. */
export type RequestObserver = (
  method: string,
  path: string,
  response: ServerResponse,
  route: string | undefined,
) => void;

/** Makes single requests misbehave, for tests of clients; implemented in `server/testing/`. */
export interface FaultInjector {
  /** Returns the fault to inject into this request, if there is one. `path` is without `/api/v1`. */
  take(method: string, path: string): RequestFault | undefined;
}

export interface RequestFault {
  /** Runs before the route; resolves to true when the fault ended the request. */
  beforeRoute(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Runs after the body was read. */
  afterBody(response: ServerResponse): Promise<void>;
  /** Runs after the commit; returns true when the fault replaced the response `text`. */
  afterCommit(response: ServerResponse, text: string): boolean;
}

export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: PathParams,
  target: RequestTarget,
) => Promise<void>;

type PathParams = Readonly<Record<string, string | undefined>>;

export const apiPrefix = '/api/v1';
