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

/** Runs a task in a later turn of the event loop. */
type RunLater = (task: () => void) => void;

/** Returns what runs tasks in the order in which they come, one in each turn, so that keys are read between any two. */
export function taskPerTurn(): RunLater {
  const tasks: (() => void)[] = [];
  const runFirst = () => {
    tasks[0]?.();
    tasks.shift();
    if (tasks.length > 0) setImmediate(runFirst);
  };
  return (task) => {
    if (tasks.push(task) === 1) setImmediate(runFirst);
  };
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
    return id === undefined ? undefined : `{"jsonrpc":"2.0","result":${resultText(result)},"id":${printableJson(id)}}`;
  } catch (error) {
    const isRefusal = error instanceof RpcError;
    if (!isRefusal) onBug(error);
    return id === undefined ? undefined : failure(id, isRefusal ? error.code : rpcCodes.internal, errorText(error));
  }
}

/** The texts of results that methods return again while nothing has changed. */
const resultTexts = new WeakMap<object, string>();

function resultText(result: unknown): string {
  if (typeof result !== 'object' || result === null) return printableJson(result);
  const text = resultTexts.get(result) ?? printableJson(result);
  resultTexts.set(result, text);
  return text;
}

const maxLineLength = 64 * 1024;
/** A client that leaves more unread is closed. */
const maxQueuedBytes = 1024 * 1024;

export type ControlClient = ReturnType<typeof controlClient>;

/**
 * A connection of another program. It is untrusted in one respect: however much it sends and however little it reads, neither
 * the screen nor the memory may suffer. One request of all connections is carried out per turn of the event loop (`runLater`), a
 * connection has one waiting at a time, nothing is read meanwhile, and lines and queues are bounded. Errors that are no refusals
 * are logged by `onBug`.
 */
export function controlClient(socket: Socket, call: Call, runLater: RunLater, onBug: (error: unknown) => void) {
  let text = '';
  let events: ReadonlySet<string> = new Set();
  /** Says why the connection ends, and ends it. What arrives meanwhile is not read. */
  const refuse = (reason: string) => {
    text = '';
    socket.pause().removeAllListeners('data');
    socket.end(`${failure(null, rpcCodes.request, reason)}\n`, () => socket.destroy());
  };
  const reply = (line: string | undefined) => {
    if (line === undefined || socket.write(`${line}\n`)) runLater(answerNext);
    else socket.once('drain', () => runLater(answerNext));
  };
  /** Answers the next request of a batch; the answers are sent together. */
  const answerBatch = (requests: readonly unknown[], answers: string[]) => {
    const text = answer(requests[0], call, onBug);
    if (text !== undefined) answers.push(text);
    if (requests.length > 1) runLater(() => answerBatch(requests.slice(1), answers));
    else reply(answers.length === 0 ? undefined : `[${answers.join(',')}]`);
  };
  /** Answers a line: a request, a notification or a batch of them. */
  const answerLine = (line: string) => {
    const message = parsed(line);
    if (line.trim() === '') reply(undefined);
    else if (message === undefined) reply(failure(null, rpcCodes.parse, 'The line is not JSON.'));
    else if (!Array.isArray(message)) reply(answer(message, call, onBug));
    else if (message.length > 0 && message.length <= maxBatch) answerBatch(message, []);
    else reply(failure(null, rpcCodes.request, `A batch has 1 to ${maxBatch} requests.`));
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
    answerLine(line);
  };
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (chunk: string) => {
    socket.pause();
    text += chunk;
    runLater(answerNext);
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
