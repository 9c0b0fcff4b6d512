import type {IncomingMessage, ServerResponse} from 'node:http';
import type {World} from '#server/context.ts';
import type {Faults} from '#server/testing/faults.ts';
import type {RateLimit} from './rate-limiter.ts';
import type {Target} from './request-target.ts';
import type {Route, WebRoute} from './route.ts';

export interface ListenerOptions {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly webRoutes: readonly WebRoute[];
  readonly limits: {readonly byUser: RateLimit; readonly byAddress: RateLimit} | undefined;
  readonly faults: Faults | undefined;
  readonly uploadLimit: number;
  readonly log: (line: string, error?: unknown) => void;
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: Path,
  target: Target,
) => Promise<void>;
export type Path = Readonly<Record<string, string | undefined>>;

export const apiPrefix = '/api/v1';
