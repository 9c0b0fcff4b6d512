import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';

export interface OutgoingRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headersMs: number;
  readonly bodyMs: number;
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** A network error, and whether sending had begun. Only used inside `api/`. */
export class BrokenRequest {
  readonly error: unknown;
  readonly started: boolean;

  constructor(error: unknown, started: boolean) {
    this.error = error;
    this.started = started;
  }
}

/**
 * Sends one HTTP request. Rejects with a `BrokenRequest`, or with the signal's reason as soon as it aborts; undici alone
 * would first wait for the connection.
 */
export function sendHttpRequest(dispatcher: Dispatcher, outgoing: OutgoingRequest): Promise<IncomingResponse> {
  const {signal} = outgoing;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const handler = new ResponseReceiver(resolve, reject, signal);
    try {
      dispatcher.dispatch(
        {
          origin: outgoing.origin,
          path: outgoing.path,
          method: outgoing.method,
          headers: outgoing.headers,
          body: outgoing.body ?? null,
          headersTimeout: outgoing.headersMs,
          bodyTimeout: outgoing.bodyMs,
        },
        handler,
      );
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ResponseReceiver implements Dispatcher.DispatchHandler {
  readonly #resolve: (incoming: IncomingResponse) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#abort();
  #controller: Dispatcher.DispatchController | undefined;
  #body: Readable | undefined;

  constructor(
    resolve: (incoming: IncomingResponse) => void,
    reject: (reason: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, {once: true});
  }

  /** Called when a socket is connected and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted) controller.abort(aborted());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.#removeAbortListener();
        controller.abort(error ?? aborted());
        done(error);
      },
    });
    // The reader receives errors by itself; without this handler an error after the last read would be uncaught.
    body.on('error', () => {});
    this.#body = body;
    this.#resolve({status, headers, body});
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.destroyed === false && !this.#body.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#removeAbortListener();
    this.#body?.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#removeAbortListener();
    const broken = new BrokenRequest(error, this.#controller !== undefined);
    if (this.#body === undefined) this.#reject(broken);
    else if (!this.#body.destroyed) this.#body.destroy(error instanceof Error ? error : new Error('broken'));
  }

  #abort(): void {
    this.#reject(this.#signal?.reason);
    if (this.#body !== undefined) this.#body.destroy(aborted());
    else this.#controller?.abort(aborted());
  }

  #removeAbortListener(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function aborted(): Error {
  return new Error('The request was aborted');
}
