import type {Clock} from '#std/clock.ts';
import type {ProxyOptions} from './dispatchers.ts';
import type {TlsOptions} from './make-dispatcher.ts';
import type {OpenSocket} from './open-socket.ts';

export interface Timeouts {
  readonly connect: number;
  /** From the request's last byte to the response's headers. */
  readonly headers: number;
  /** Between two chunks of a body, and the period over which a minimum rate is required. */
  readonly body: number;
}

export interface ConnectionOptions {
  /** The organization's URL, such as https://chat.example.com; it may contain a path. */
  readonly site: string;
  readonly credentials?: {readonly email: string; readonly apiKey: string} | undefined;
  readonly tls?: TlsOptions | undefined;
  readonly proxies?: ProxyOptions | undefined;
  readonly userAgent: string;
  /** Milliseconds. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** The limit for a response, compressed and decompressed, instead of the one of its endpoint. */
  readonly maxBodyBytes?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Whether files may be downloaded from other hosts: those that the server redirects, and its list of emoji. Without it, never. */
  readonly mayUseOtherHosts?: (() => boolean) | undefined;
  /** Opens all connections, which lead to the server without TLS. */
  readonly openSocket?: OpenSocket | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time to wait for the response's headers. */
  readonly timeoutMs?: number | undefined;
  /** A late response says nothing about the server: the request is a long poll. */
  readonly isSlow?: boolean | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Reports how many bytes of the file have been passed to the network. */
  readonly onProgress?: ((sent: number, size: number) => void) | undefined;
}

/** Options of work that servers do in several requests. */
export interface BatchOptions extends CallOptions {
  /** Runs after each request that left something to do; `done` is the number of changed messages, where servers count. */
  readonly onBatch?: ((done: number | undefined) => void) | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Whether an address of another server is always refused, because somebody wrote it into a message. */
  readonly isOwnOnly?: boolean | undefined;
  readonly maxBytes?: number | undefined;
}

export interface Download {
  /** The final URL, after redirects. */
  readonly url: string;
  readonly contentType: string | undefined;
  /** The announced size; undefined when the server did not send it. */
  readonly size: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection when the body is not needed. */
  cancel(): void;
}
