import type {Socket} from 'node:net';
import {errorText} from '#std/error-text.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
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

/** Carries out a method. Throws an RpcError for what it refuses. */
type Call = (method: string, params: Params) => unknown;

/** A batch with more requests is refused, so that no line has an answer of any size. */
const maxBatch = 32;

/**
 * Answers one line: a request, a notification or a batch of them. Returns undefined where no answer is due. Errors that are no
 * refusals are logged by `onBug`.
 */
function answerLine(line: string, call: Call, onBug: (error: unknown) => void): string | undefined {
  const message = parsed(line);
  if (message === undefined) return failure(null, rpcCodes.parse, 'The line is not JSON.');
  if (!Array.isArray(message)) return answer(message, call, onBug);
  if (message.length === 0 || message.length > maxBatch) {
    return failure(null, rpcCodes.request, `A batch has 1 to ${maxBatch} requests.`);
  }
  const answers = message.flatMap((each) => answer(each, call, onBug) ?? []);
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
}

function failure(id: unknown, code: number, message: string): string {
  return printableJson({jsonrpc: '2.0', error: {code, message}, id});
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function answer(request: unknown, call: Call, onBug: (error: unknown) => void): string | undefined {
  if (!isRecord(request)) return failure(null, rpcCodes.request, 'A request is an object.');
  const {jsonrpc, method, params = {}, id} = request;
  const hasId = id === null || typeof id === 'string' || typeof id === 'number';
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && !hasId)) {
    const text = 'A request has "jsonrpc": "2.0", a "method" and an "id" that is a text or a number.';
    return failure(hasId ? id : null, rpcCodes.request, text);
  }
  try {
    if (!isRecord(params)) throw new RpcError(rpcCodes.params, 'Parameters are given by name, in an object.');
    const result = call(method, params) ?? null;
    return id === undefined ? undefined : printableJson({jsonrpc: '2.0', result, id});
  } catch (error) {
    const isRefusal = error instanceof RpcError;
    if (!isRefusal) onBug(error);
    return id === undefined ? undefined : failure(id, isRefusal ? error.code : rpcCodes.internal, errorText(error));
  }
}

const maxLineLength = 64 * 1024;
/** A client that leaves more unread is closed. */
const maxQueuedBytes = 1024 * 1024;

export type ControlClient = ReturnType<typeof controlClient>;

/**
 * A connection of another program. It is untrusted in one respect: however much it sends and however little it reads, neither
 * the screen nor the memory may suffer. One line is answered per turn of the event loop, nothing is read meanwhile, and lines
 * and queues are bounded.
 */
export function controlClient(socket: Socket, call: Call, onBug: (error: unknown) => void) {
  let text = '';
  let events: ReadonlySet<string> = new Set();
  /** Says why the connection ends, and ends it. */
  const refuse = (reason: string) => {
    text = '';
    socket.end(`${failure(null, rpcCodes.request, reason)}\n`);
  };
  const answerNext = () => {
    const end = text.indexOf('\n');
    if (end > maxLineLength || (end === -1 && text.length > maxLineLength)) {
      refuse(`A line has at most ${maxLineLength} characters.`);
      return;
    }
    if (end === -1) {
      socket.resume();
      return;
    }
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    const reply = line.trim() === '' ? undefined : answerLine(line, call, onBug);
    const isTaken = reply === undefined || socket.write(`${reply}\n`);
    if (isTaken) setImmediate(answerNext);
    else socket.once('drain', answerNext);
  };
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (chunk: string) => {
    socket.pause();
    text += chunk;
    answerNext();
  });
  return {
    refuse,
    close: () => void socket.destroy(),
    /** Asks for these events from now on. */
    subscribe: (names: readonly string[]) => {
      events = new Set(names);
    },
    wants: (event: string) => events.has(event),
    notify: (event: string, params: unknown) => {
      if (!events.has(event)) return;
      if (socket.writableLength > maxQueuedBytes) socket.destroy();
      else socket.write(`${printableJson({jsonrpc: '2.0', method: `event.${event}`, params})}\n`);
    },
  };
}
