import {chmodSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {connect, createServer, type Server, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface, type Interface} from 'node:readline';
import {ConfigError} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';

/**
 * The socket in the data directory that each client of a server stays connected to. The kernel closes the
 * connection however the client ends, so the server always knows its clients; and a successful connection
 * proves that the server is running.
 */
const socketName = 'clients.sock';

/** The time for the first client to connect: the process that started the server may still be busy. */
const firstClientTimeoutMs = 15_000;

interface ClientSocketOptions {
  readonly directory: string;
  /** One line, sent to every client. The directory is private, so only its owner can read it. */
  readonly greeting: string;
  readonly clock: Clock;
  /** `onUnused` is called when there was no client for this long. Without it the server stays. */
  readonly graceMs?: number;
  readonly onUnused?: () => void;
  /** Answers what a client sends after the greeting; without it, nothing is read. */
  readonly answer?: (socket: Socket) => void;
}

export type ClientSocket = Awaited<ReturnType<typeof openClientSocket>>;

/** Opens the socket. Only the server that has locked the directory may call it: an existing socket is replaced. */
export async function openClientSocket(options: ClientSocketOptions) {
  const {directory, greeting, clock, graceMs, onUnused, answer = (socket) => socket.resume()} = options;
  const clients = new Set<Socket>();
  let cancel = () => {};
  const startTimer = (ms: number) => {
    cancel();
    if (graceMs !== undefined && onUnused !== undefined) cancel = clock.after(ms, onUnused);
  };
  const server = createServer((socket) => {
    cancel();
    clients.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      clients.delete(socket);
      if (clients.size === 0) startTimer(graceMs ?? 0);
    });
    socket.write(`${greeting}\n`);
    answer(socket);
  });
  const path = join(directory, socketName);
  rmSync(path, {force: true});
  await listenAt(server, directory, socketName);
  startTimer(Math.max(graceMs ?? 0, firstClientTimeoutMs));
  return {
    close() {
      cancel();
      server.close();
      for (const socket of clients) socket.destroy();
      cancel = () => {};
      rmSync(path, {force: true});
    },
  };
}

/** A client's open connection to the server's client socket. */
export interface ServerLease {
  readonly greeting: string;
  /** The connection, to ask the server something. */
  readonly socket: Socket;
  /** Resolves when either side has closed the connection. */
  readonly ended: Promise<void>;
  release(): void;
}

/**
 * Connects to the server of a directory. Returns undefined when none is running. The connection does not keep
 * this process alive.
 */
export function acquireServerLease(
  directory: string,
  clock: Clock,
  timeoutMs = 20_000,
): Promise<ServerLease | undefined> {
  return throughShortPath(directory, socketName, async (path) => {
    const socket = connect(path);
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    const {promise, resolve, reject} = Promise.withResolvers<ServerLease | undefined>();
    const cancel = clock.after(timeoutMs, () => {
      socket.destroy();
      reject(new ConfigError(`The server of ${directory} does not respond. Stop it and try again.`));
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end === -1) return;
      socket.removeAllListeners('data').resume().unref();
      resolve({greeting: text.slice(0, end), socket, ended, release: () => socket.destroy()});
    });
    // Refused, absent, or closed before the greeting: the server has stopped or is stopping.
    void ended.then(() => resolve(undefined));
    return promise.finally(cancel);
  });
}

/** Returns the lines that arrive at a socket. A broken connection ends them: readline repeats the errors of its input. */
export function linesOf(socket: Socket): Interface {
  return createInterface({input: socket}).on('error', () => {});
}

/**
 * Listens at a socket in a directory, which only its owner can use. A connection that cannot be accepted later, such as with too many
 * open files, is lost.
 */
export function listenAt(server: Server, directory: string, name: string): Promise<void> {
  return throughShortPath(directory, name, async (path) => {
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    server.on('error', reject);
    server.listen(path, resolve);
    // The socket exists now, or never: an error comes later.
    if (server.listening) chmodSync(path, 0o600);
    await promise;
  });
}

/**
 * Calls the body with a short path of a socket in the directory: the path is limited to about 100 bytes, so in a long one the
 * directory is replaced by a link in the temporary directory.
 */
export async function throughShortPath<T>(
  directory: string,
  name: string,
  body: (path: string) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(join(directory, name)) < 100) return body(join(directory, name));
  const linkFolder = mkdtempSync(join(tmpdir(), 'parley-'));
  try {
    const link = join(linkFolder, 'd');
    symlinkSync(directory, link);
    return await body(join(link, name));
  } finally {
    rmSync(linkFolder, {recursive: true, force: true});
  }
}
