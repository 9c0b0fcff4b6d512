/** Reads response bodies: decompresses them, and limits their size and duration. */

import {pipeline, Readable, type Transform} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate, createInflateRaw} from 'node:zlib';
import type {Clock} from '#std/clock.ts';
import type {IncomingResponse} from './send-http-request.ts';

export const acceptedEncodings = 'gzip, br, deflate';

interface BodyLimits {
  readonly maxBytes: number;
  /** The time to wait for the next bytes, and the period over which a minimum rate is required. */
  readonly waitMs: number;
  readonly clock: Clock;
}

/** The body arrives too slowly. */
export class SlowBodyError extends Error {}
/** The body does not match its headers. */
export class BadBodyError extends Error {}
export class TooLargeBodyError extends BadBodyError {}

/** A slower body is treated as a stalled connection. */
const minBytesPerSecond = 512;

/**
 * Yields the body's decompressed bytes. The limit holds before and after decompression. Stopping early closes the
 * connection.
 */
export async function* bodyBytes(incoming: IncomingResponse, limits: BodyLimits): AsyncGenerator<Buffer, void> {
  const {headers, body} = incoming;
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  try {
    const announced = Number(headers['content-length'] ?? 0);
    if (announced > limits.maxBytes) throw tooLarge(limits.maxBytes);
    const received = withMaxSize(withMinRate(body, limits), limits.maxBytes);
    if (encoding === 'identity' || encoding === '') yield* received;
    else yield* withMaxSize(decompressed(received, encoding), limits.maxBytes);
  } finally {
    body.destroy();
  }
}

export async function bodyText(incoming: IncomingResponse, limits: BodyLimits): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyBytes(incoming, limits)) chunks.push(chunk);
  const [only] = chunks;
  return (chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)).toString('utf8');
}

async function* withMaxSize(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): TooLargeBodyError {
  const mib = maxBytes / 1024 / 1024;
  return new TooLargeBodyError(`it is larger than ${mib >= 1 ? `${Math.floor(mib)} MiB` : `${maxBytes} bytes`}`);
}

/** Rejects a body that arrives too slowly; `sendHttpRequest` handles one that stops. Only time spent waiting counts. */
async function* withMinRate(body: Readable, {waitMs, clock}: BodyLimits): AsyncGenerator<Buffer, void> {
  const source = body[Symbol.asyncIterator]();
  let waited = 0;
  let received = 0;
  for (;;) {
    const from = clock.monotonic();
    const next: IteratorResult<Buffer, unknown> = await source.next();
    if (next.done === true) return;
    waited += clock.monotonic() - from;
    received += next.value.length;
    if (waited >= waitMs) {
      if (received < (minBytesPerSecond * waited) / 1000) throw new SlowBodyError('The body arrives too slowly');
      waited = 0;
      received = 0;
    }
    yield next.value;
  }
}

async function* decompressed(source: AsyncGenerator<Buffer, void>, encoding: string): AsyncGenerator<Buffer, void> {
  const first = await source.next();
  if (first.done === true) return;
  const decoder = decoderFor(encoding, first.value);
  if (decoder === undefined) throw new BadBodyError(`its encoding ${encoding} was not requested`);
  const compressed = Readable.from(joined(first.value, source));
  // The iterating caller receives errors; destroying one end destroys the other.
  pipeline(compressed, decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    if (isZlibError(error)) throw new BadBodyError('its compressed data is damaged');
    throw error;
  } finally {
    decoder.destroy();
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first;
  yield* rest;
}

function decoderFor(encoding: string, start: Buffer): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers omit the zlib header; with it the low nibble of the first byte is 8.
      return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return undefined;
  }
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(code);
}
