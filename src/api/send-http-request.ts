import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import type {Clock} from '#std/clock.ts';

interface OutgoingRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly clock: Clock;
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

class ResponseTimeoutError extends Error {
  readonly code = 'RESPONSE_TIMEOUT';
}

/**
 * Sends one HTTP request. Rejects with a `BrokenRequest`, or with the signal's reason as soon as it aborts; undici alone
 * would first wait for the connection. The timeouts are ours, because undici wakes up twice a second to check its own.
 */
export function sendHttpRequest(dispatcher: Dispatcher, outgoing: OutgoingRequest): Promise<IncomingResponse> {
  const {signal} = outgoing;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const handler = new ResponseReceiver(resolve, reject, outgoing);
    try {
      dispatcher.dispatch(
        {
          origin: outgoing.origin,
          path: outgoing.path,
          method: outgoing.method,
          headers: outgoing.headers,
          body: outgoing.body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
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
  readonly #outgoing: OutgoingRequest;
  readonly #onAbort = () => this.#abort();
  #controller: Dispatcher.DispatchController | undefined;
  #isSent = false;
  #isEnded = false;
  #body: Readable | undefined;
  #cancelTimeout = () => {};

  constructor(
    resolve: (incoming: IncomingResponse) => void,
    reject: (reason: unknown) => void,
    outgoing: OutgoingRequest,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#outgoing = outgoing;
    outgoing.signal?.addEventListener('abort', this.#onAbort, {once: true});
  }

  /** Called when a socket is connected and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#outgoing.signal?.aborted) controller.abort(aborted());
    else this.#startTimeout();
  }

  onBodySent(): void {
    this.#startTimeout();
  }

  onRequestSent(): void {
    this.#isSent = true;
    this.#startTimeout();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.#resolve({status, headers, body: this.#receiveBody(controller)});
    this.#startTimeout();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#startTimeout();
    if (this.#body?.destroyed !== false || this.#body.push(chunk)) return;
    controller.pause();
    // The reader is slow, not the server.
    this.#cancelTimeout();
  }

  /**
   * Ends the body after undici has freed the socket, which it does in the next turn of the event loop. Otherwise a request
   * that follows at once would open another connection.
   */
  onResponseEnd(): void {
    this.#cancelTimeout();
    queueMicrotask(() =>
      setImmediate(() => {
        this.#end();
        this.#body?.push(null);
      }),
    );
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#end();
    const broken = new BrokenRequest(error, this.#controller !== undefined);
    if (this.#body === undefined) this.#reject(broken);
    else if (!this.#body.destroyed) this.#body.destroy(error instanceof Error ? error : new Error('broken'));
  }

  #receiveBody(controller: Dispatcher.DispatchController): Readable {
    const body = new Readable({
      read: () => {
        if (!controller.paused) return;
        this.#startTimeout();
        controller.resume();
      },
      destroy: (error, done) => {
        this.#end();
        controller.abort(error ?? aborted());
        done(error);
      },
    });
    // The reader receives errors by itself; without this handler an error after the last read would be uncaught.
    body.on('error', () => {});
    this.#body = body;
    return body;
  }

  #startTimeout(): void {
    this.#cancelTimeout();
    if (this.#isEnded) return;
    const {headersMs, bodyMs, clock} = this.#outgoing;
    this.#cancelTimeout = clock.after(this.#body === undefined ? headersMs : bodyMs, () => {
      // After the process was suspended, data that has arrived meanwhile is read first.
      const timer = setImmediate(() => this.#timeOut());
      this.#cancelTimeout = () => clearImmediate(timer);
    });
  }

  #timeOut(): void {
    const {body} = this.#outgoing;
    // undici pauses the file when the server does not take it; otherwise the server waits for the file.
    const isFileSlow = !this.#isSent && body instanceof Readable && !body.isPaused();
    if (isFileSlow) this.#startTimeout();
    else this.#controller?.abort(new ResponseTimeoutError('The server did not answer in time'));
  }

  #abort(): void {
    this.#reject(this.#outgoing.signal?.reason);
    if (this.#body !== undefined) this.#body.destroy(aborted());
    else this.#controller?.abort(aborted());
  }

  #end(): void {
    this.#isEnded = true;
    this.#cancelTimeout();
    this.#outgoing.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function aborted(): Error {
  return new Error('The request was aborted');
}
