import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ServerContext} from '#server/context.ts';
import type {Faults} from '#server/testing/faults.ts';
import type {RateLimiter} from './rate-limiter.ts';
import type {RequestTarget} from './request-target.ts';
import type {Route, WebRoute} from './route.ts';

export interface ListenerOptions {
  readonly world: ServerContext;
  readonly routes: readonly Route[];
  readonly webRoutes: readonly WebRoute[];
  readonly limits: {readonly byUser: RateLimiter; readonly byAddress: RateLimiter} | undefined;
  readonly faults: Faults | undefined;
  readonly uploadLimit: number;
  readonly log: (line: string, error?: unknown) => void;
}

export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: PathParams,
  target: RequestTarget,
) => Promise<void>;
export type PathParams = Readonly<Record<string, string | undefined>>;

export const apiPrefix = '/api/v1';
