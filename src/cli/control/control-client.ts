import type {Socket} from 'node:net';
import {answerLine, failure, notificationLine, type Params, RpcError, rpcCodes} from './json-rpc.ts';

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
