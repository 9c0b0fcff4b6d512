import {chmodSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {connect, createServer, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ConfigError} from '#config/config-error.ts';
import type {Clock} from '#std/clock.ts';

/**
 * Who uses a server: each client holds a connection to a socket in the data directory. The kernel closes it however the
 * client ends, so nobody is counted who is not there, and whoever can connect has found a server that lives.
 */
const socketName = 'clients.sock';

/** The starter may still be on its way when the server is ready. */
const firstArrivalMs = 15_000;

export interface ClientSocketOptions {
  readonly directory: string;
  /** One line, sent to everybody who comes. The directory is private, so only its owner can. */
  readonly greeting: string;
  readonly clock: Clock;
  /** Nobody was there for this long. Without it nobody is waited for. */
  readonly graceMs?: number;
  readonly onUnused?: () => void;
}

export interface ClientSocket {
  close(): void;
}

/** Call it only as the one server of the directory: a socket left behind by a dead one is replaced. */
export async function openClientSocket(options: ClientSocketOptions): Promise<ClientSocket> {
  const {directory, greeting, clock, graceMs, onUnused: onDeserted} = options;
  const present = new Set<Socket>();
  let cancel = () => {};
  const wait = (ms: number) => {
    cancel();
    if (graceMs !== undefined && onDeserted !== undefined) cancel = clock.after(ms, onDeserted);
  };
  const door = createServer((socket) => {
    cancel();
    present.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      present.delete(socket);
      if (present.size === 0) wait(graceMs ?? 0);
    });
    socket.resume();
    socket.write(`${greeting}\n`);
  });
  const path = join(directory, socketName);
  rmSync(path, {force: true});
  await throughShortPath(directory, async (short) => {
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    door.once('error', reject);
    door.listen(join(short, socketName), resolve);
    await promise;
  });
  chmodSync(path, 0o600);
  wait(Math.max(graceMs ?? 0, firstArrivalMs));
  return {
    close() {
      cancel();
      door.close();
      for (const socket of present) socket.destroy();
      cancel = () => {};
      rmSync(path, {force: true});
    },
  };
}

/** A client's presence. */
export interface ServerLease {
  readonly greeting: string;
  /** Resolves when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  release(): void;
}

/** Comes to the server of a directory; undefined when there is none. The visit never keeps this process alive by itself. */
export function acquireServerLease(
  directory: string,
  clock: Clock,
  timeoutMs = 20_000,
): Promise<ServerLease | undefined> {
  return throughShortPath(directory, async (short) => {
    const socket = connect(join(short, socketName));
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    const {promise, resolve, reject} = Promise.withResolvers<ServerLease | undefined>();
    const cancel = clock.after(timeoutMs, () => {
      socket.destroy();
      reject(new ConfigError(`The server of ${directory} does not answer.`));
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end === -1) return;
      socket.removeAllListeners('data').resume().unref();
      resolve({greeting: text.slice(0, end), ended, release: () => socket.destroy()});
    });
    // Refused, absent, or closed before a word: a server that is gone or going.
    void ended.then(() => resolve(undefined));
    return promise.finally(cancel);
  });
}

/** The longest path a socket may have is about a hundred bytes; a link from a short place leads into any directory. */
async function throughShortPath<T>(directory: string, body: (directory: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(join(directory, socketName)) < 100) return body(directory);
  const place = mkdtempSync(join(tmpdir(), 'parley-'));
  try {
    const link = join(place, 'd');
    symlinkSync(directory, link);
    return await body(link);
  } finally {
    rmSync(place, {recursive: true, force: true});
  }
}
