import type {Clock} from '#std/clock.ts';
import type {ProxyOptions} from './dispatchers.ts';
import type {TlsOptions} from './make-dispatcher.ts';

export interface Timeouts {
  readonly connect: number;
  /** From the request's last byte to the answer's head. */
  readonly headers: number;
  /** Between two pieces of a body, and the span over which a body has to keep a pace. */
  readonly body: number;
}

export interface ConnectionOptions {
  /** The organization's address, such as https://chat.example.com; a path in it is kept. */
  readonly site: string;
  readonly credentials?: {readonly email: string; readonly apiKey: string} | undefined;
  readonly tls?: TlsOptions | undefined;
  readonly proxies?: ProxyOptions | undefined;
  readonly userAgent: string;
  /** Milliseconds. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Of an answer, decompressed. */
  readonly maxBodyBytes?: number | undefined;
  readonly clock?: Clock | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer to begin. */
  readonly timeoutMs?: number | undefined;
}

export interface UploadOptions extends CallOptions {
  /** How many of the file's bytes have been handed to the network. */
  readonly onProgress?: ((sent: number, size: number) => void) | undefined;
}

export interface DownloadOptions extends CallOptions {
  readonly maxBytes?: number | undefined;
}

export interface Download {
  /** Where it was in the end. */
  readonly url: string;
  readonly contentType: string | undefined;
  /** As announced; undefined when it was not. */
  readonly size: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** For whoever does not want the body after all. */
  cancel(): void;
}
