import type {Socket} from 'node:net';
import {errorText} from '#std/error-text.ts';
import {parseJson} from '#std/parse-json.ts';
import {printableJson} from '#std/printable.ts';

/** The codes of JSON-RPC 2.0. */
export const rpcCodes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

/** A failure that the client is told; its message is a sentence. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Params = Readonly<Record<string, unknown>>;

/** A batch with more requests is refused, so that no line has an answer of any size. */
const maxBatch = 32;

/**
 * Answers one line: a request, a notification or a batch of them. Returns undefined where no answer is due. `call` throws an
 * RpcError for what it refuses; other errors are logged by `onBug`.
 */
function answerLine(
  line: string,
  call: (method: string, params: Params) => unknown,
  onBug: (error: unknown) => void,
): string | undefined {
  const message = parsed(line);
  if (message === undefined) return failure(null, new RpcError(rpcCodes.parse, 'The line is not JSON.'));
  if (!Array.isArray(message)) return answer(message, call, onBug);
  if (message.length === 0 || message.length > maxBatch) {
    return failure(null, new RpcError(rpcCodes.request, `A batch has 1 to ${maxBatch} requests.`));
  }
  const answers = message.flatMap((each) => answer(each, call, onBug) ?? []);
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
}

/** Returns a notification of the server as a line. */
function notificationLine(method: string, params: unknown): string {
  return `${printableJson({jsonrpc: '2.0', method, params})}\n`;
}

/** Returns a failure that is the answer to no request in particular. */
function failure(id: unknown, {code, message}: RpcError): string {
  return printableJson({jsonrpc: '2.0', error: {code, message}, id});
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function answer(
  request: unknown,
  call: (method: string, params: Params) => unknown,
  onBug: (error: unknown) => void,
): string | undefined {
  if (!isRecord(request)) return failure(null, new RpcError(rpcCodes.request, 'A request is an object.'));
  const {jsonrpc, method, params = {}, id} = request;
  const hasId = id === null || typeof id === 'string' || typeof id === 'number';
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && !hasId)) {
    const text = 'A request has "jsonrpc": "2.0", a "method" and an "id" that is a text or a number.';
    return failure(hasId ? id : null, new RpcError(rpcCodes.request, text));
  }
  try {
    if (!isRecord(params)) throw new RpcError(rpcCodes.params, 'Parameters are given by name, in an object.');
    const result = call(method, params) ?? null;
    return id === undefined ? undefined : printableJson({jsonrpc: '2.0', result, id});
  } catch (error) {
    if (!(error instanceof RpcError)) onBug(error);
    if (id === undefined) return undefined;
    return failure(id, error instanceof RpcError ? error : new RpcError(rpcCodes.internal, errorText(error)));
  }
}

function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const maxLineLength = 64 * 1024;
/** A client that leaves more unread is closed. */
const maxQueuedBytes = 1024 * 1024;

/** What a connection needs of the program. */
export interface ControlClientParts {
  readonly call: (client: ControlClient, method: string, params: Params) => unknown;
  readonly onBug: (error: unknown) => void;
}

/**
 * A connection of another program. It is untrusted in one respect: however much it sends and however little it reads, neither
 * the screen nor the memory may suffer. One line is answered per turn of the event loop, nothing is read meanwhile, and lines
 * and queues are bounded.
 */
export class ControlClient {
  /** The events that it asked for. */
  events: ReadonlySet<string> = new Set();
  readonly #socket: Socket;
  readonly #parts: ControlClientParts;
  #text = '';

  constructor(socket: Socket, parts: ControlClientParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk: string) => {
      socket.pause();
      this.#text += chunk;
      this.#answerNext();
    });
  }

  notify(event: string, params: unknown): void {
    if (!this.events.has(event)) return;
    if (this.#socket.writableLength > maxQueuedBytes) this.#socket.destroy();
    else this.#socket.write(notificationLine(`event.${event}`, params));
  }

  /** Says why the connection ends, and ends it. */
  refuse(reason: string): void {
    this.#text = '';
    this.#socket.end(`${failure(null, new RpcError(rpcCodes.request, reason))}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #answerNext(): void {
    const end = this.#text.indexOf('\n');
    if (end > maxLineLength || (end === -1 && this.#text.length > maxLineLength)) {
      this.refuse(`A line has at most ${maxLineLength} characters.`);
      return;
    }
    if (end === -1) {
      this.#socket.resume();
      return;
    }
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    const answer =
      line.trim() === ''
        ? undefined
        : answerLine(line, (method, params) => this.#parts.call(this, method, params), this.#parts.onBug);
    const isTaken = answer === undefined || this.#socket.write(`${answer}\n`);
    if (isTaken) setImmediate(() => this.#answerNext());
    else this.#socket.once('drain', () => this.#answerNext());
  }
}
