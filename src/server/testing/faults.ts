import type {IncomingMessage, ServerResponse} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {ApiError, rateLimitHit} from '#server/http/errors.ts';
import type {FaultInjector, RequestFault} from '#server/http/handler.ts';
import {errorJson, sendJson} from '#server/http/json-response.ts';

/** More than any client should accept. */
const bombBytes = 100 * 1024 * 1024;
let bomb: Buffer | undefined;

/** Returns the body of `gzip_bomb`. Compressing it takes half a second, so it is kept. */
function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(bombBytes, ' '));
  return bomb;
}

export const faultKinds = [
  'status',
  'status_after',
  'delay',
  'truncate',
  'html',
  'rate_limit',
  'drop_before',
  'drop_after',
  'gzip_bomb',
] as const;

/** A misbehaviour that a test requests: the requests it applies to, and what happens to them. */
export interface Fault {
  readonly method: string | undefined;
  /** Matches the path after `/api/v1`, as a prefix; empty matches all. */
  readonly path: string;
  readonly kind: (typeof faultKinds)[number];
  readonly status: number;
  readonly delayMs: number;
  readonly retryAfter: number;
  readonly code: string;
  remaining: number;
}

/** The faults that are waiting for a matching request. Only servers started with test hooks have any. */
export class Faults implements FaultInjector {
  #pending: Fault[] = [];

  add(fault: Fault): void {
    this.#pending.push(fault);
  }

  /** Drops all faults and returns how many requests they would still have hit. */
  clear(): number {
    const left = this.#pending.reduce((sum, {remaining}) => sum + remaining, 0);
    this.#pending = [];
    return left;
  }

  /** Returns the first fault that matches this request and counts it as used once. */
  take(method: string, path: string): RequestFault | undefined {
    const fault = this.#pending.find(
      (candidate) => (candidate.method === undefined || candidate.method === method) && path.startsWith(candidate.path),
    );
    if (fault === undefined) return undefined;
    fault.remaining--;
    if (fault.remaining <= 0) this.#pending = this.#pending.filter((other) => other !== fault);
    return {
      beforeRoute: (request, response) => injectBeforeRoute(fault, request, response),
      afterCommit: (response, text) => injectAfterCommit(fault, response, text),
    };
  }
}

async function injectBeforeRoute(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'delay':
      await sleep(fault.delayMs);
      return false;
    case 'status':
      request.resume();
      sendJson(request, response, fault.status, errorJson(injectedError(fault)), {});
      return true;
    case 'html':
      request.resume();
      response.writeHead(fault.status, {'content-type': 'text/html'});
      response.end(`<html><body><h1>${fault.status} Bad Gateway</h1></body></html>`);
      return true;
    case 'rate_limit': {
      request.resume();
      const headers = {'retry-after': fault.retryAfter};
      sendJson(request, response, 429, errorJson(rateLimitHit(fault.retryAfter)), headers);
      return true;
    }
    case 'gzip_bomb':
      request.resume();
      response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'});
      response.end(gzipBomb());
      return true;
    case 'drop_before':
      request.socket.destroy();
      return true;
    case 'truncate':
    case 'status_after':
    case 'drop_after':
      return false;
  }
}

function injectedError({code, status}: Fault): ApiError {
  return new ApiError(code, 'Injected fault', status);
}

function injectAfterCommit(fault: Fault, response: ServerResponse, text: string): boolean {
  if (fault.kind === 'drop_after') {
    response.socket?.destroy();
    return true;
  }
  if (fault.kind === 'status_after') {
    response.writeHead(fault.status, {'content-type': 'application/json'});
    response.end(errorJson(injectedError(fault)));
    return true;
  }
  if (fault.kind !== 'truncate') return false;
  response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)});
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.socket?.destroy());
  return true;
}
