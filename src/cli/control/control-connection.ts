import {connect, type Socket} from 'node:net';
import {linesOf, throughShortPath} from '#cli/embedded/client-socket.ts';
import {PlainFailure} from '#cli/io.ts';
import type {Clock} from '#std/clock.ts';
import type {Params} from './control-client.ts';
import {controlSocketName} from './status-text.ts';

const answerTimeoutMs = 10_000;

/** A connection to the control socket of a running Parley. */
export interface ControlConnection {
  call(method: string, params: Params): Promise<unknown>;
  /** Calls the listener with each event, and resolves when Parley has ended. */
  listen(listener: (event: string, params: unknown) => void): Promise<void>;
  close(): void;
}

interface ServerMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {readonly message: string};
}

/** Connects to a running program. Calls fail when it does not answer in time: it may be stopped. */
export async function connectToControl(
  folder: string,
  pid: number,
  clock: Clock,
  timeoutMs: number = answerTimeoutMs,
): Promise<ControlConnection> {
  const socket = await throughShortPath(folder, controlSocketName(pid), connected);
  const pending = new Map<unknown, (message: ServerMessage) => void>();
  let onEvent: (event: string, params: unknown) => void = () => {};
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  linesOf(socket).on('line', (line) => {
    const message: ServerMessage = JSON.parse(line);
    if (message.method !== undefined) onEvent(message.method.replace('event.', ''), message.params);
    // A failure without a number is about the connection.
    else for (const [id, settle] of pending) if (id === message.id || message.id === null) settle(message);
  });
  let calls = 0;
  return {
    call: (method, params) => {
      const {promise, resolve, reject} = Promise.withResolvers<unknown>();
      const id = ++calls;
      const cancel = clock.after(timeoutMs, () => reject(new PlainFailure(`Parley (${pid}) does not answer.`)));
      pending.set(id, ({result, error}) =>
        error === undefined ? resolve(result) : reject(new PlainFailure(error.message)),
      );
      void ended.then(() => reject(new PlainFailure(`Parley (${pid}) closed the connection.`)));
      socket.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
      return promise.finally(() => {
        cancel();
        pending.delete(id);
      });
    },
    listen: (listener) => {
      onEvent = listener;
      return ended;
    },
    close: () => socket.destroy(),
  };
}

function connected(path: string): Promise<Socket> {
  const socket = connect(path);
  const {promise, resolve, reject} = Promise.withResolvers<Socket>();
  socket.once('connect', () => resolve(socket));
  socket.on('error', () => reject(new PlainFailure('The control socket of Parley cannot be reached.')));
  return promise;
}
