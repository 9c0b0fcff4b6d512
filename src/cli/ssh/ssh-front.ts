/** The process that accepts connections over SSH. The server starts it, and again when it ends. */

import {existsSync, readFileSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import ssh2 from 'ssh2';
import {writeControls} from '#cli/io.ts';
import {createPrivateFile} from '#config/private-files.ts';
import {networkOfAddress} from '#server/http/request-address.ts';
import {RateLimiter} from '#server/rate-limiter.ts';
import {fingerprintOf} from '#server/ssh/public-key.ts';
import {systemClock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {type FrontContext, serveClient} from './front-connection.ts';
import type {FromFront, FrontOptions, Questions, ToFront} from './front-messages.ts';
import {SessionPool} from './session-pool.ts';

/** Without ssh-rsa, SHA-1, MACs that are computed before encryption, CBC and compression, which are on in the library. */
const algorithms = {
  kex: [
    ...(['curve25519-sha256', 'curve25519-sha256@libssh.org'] as const),
    ...(['ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'] as const),
    ...(['diffie-hellman-group16-sha512', 'diffie-hellman-group18-sha512'] as const),
  ],
  serverHostKey: ['ssh-ed25519' as const],
  cipher: [
    ...(['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com'] as const),
    ...(['aes256-ctr', 'aes128-ctr'] as const),
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com' as const, 'hmac-sha2-512-etm@openssh.com' as const],
  compress: ['none' as const],
};

function send(message: FromFront): void {
  if (process.connected) process.send?.(message);
}

/** Asks the server; answers are matched by their numbers. */
class Asker {
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  readonly ask = <N extends keyof Questions>(
    name: N,
    params: Questions[N]['params'],
  ): Promise<Questions[N]['answer']> =>
    new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, (answer) => resolve(answer as Questions[N]['answer']));
      send({kind: 'question', id, question: {ask: name, ...params} as never});
    });

  answer(id: number, answer: unknown): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

/** The library leaves out a leading zero of some keys, which clients then refuse. */
const publicKeyBytes = 51;

function newHostKey(): string {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (Buffer.from(pair.public.split(' ')[1] ?? '', 'base64').length === publicKeyBytes) return pair.private;
  }
}

/** Returns the host key, which is made at the first start. */
function hostKeyIn(folder: string): string {
  const path = join(folder, 'host_key');
  // Of two starts at once, one creates it.
  if (!existsSync(path)) createPrivateFile(path, newHostKey());
  return readFileSync(path, 'utf8');
}

function fingerprintOfHostKey(hostKey: string): string {
  const parsed = ssh2.utils.parseKey(hostKey);
  if (parsed instanceof Error) throw new Error(`The host key cannot be read: ${parsed.message}`);
  const [key] = Array.isArray(parsed) ? parsed : [parsed];
  return fingerprintOf(key?.getPublicSSH() ?? Buffer.alloc(0));
}

function addressOf(host = '', port = 0): string {
  return `${host} ${port}`;
}

function serve(options: FrontOptions, asker: Asker): FrontContext {
  const {limits} = options;
  const hostKey = hostKeyIn(options.folder);
  const context: FrontContext = {
    options,
    clock: systemClock,
    pool: new SessionPool(options),
    ask: asker.ask,
    send,
    connections: new Set(),
  };
  const server = new ssh2.Server({hostKeys: [hostKey], ident: 'Parley', algorithms}, (client, info) => {
    const address = addressOf(info.ip, info.port);
    serveClient(context, client, {network: networkOfAddress(info.ip), onLogin: () => newSockets.get(address)?.()});
  });
  server.on('error', (error: Error) => send({kind: 'notice', text: `SSH: ${error.message}`}));
  /** What to do when the person at an address has logged in. */
  const newSockets = new Map<string, () => void>();
  const newOfNetwork = new Map<string, number>();
  const limiter = new RateLimiter(systemClock, limits.connectionsPerMinute, 60);
  let count = 0;
  const listener = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.setNoDelay(true);
    const network = networkOfAddress(socket.remoteAddress ?? '');
    const ofNetwork = newOfNetwork.get(network) ?? 0;
    const isFlood = count >= limits.newInAll || ofNetwork >= limits.newOfNetwork || !limiter.take(network).allowed;
    if (isFlood) {
      send({kind: 'event', event: {event: 'refusal', reason: 'too many connections', address: network}});
      socket.destroy();
      return;
    }
    count++;
    newOfNetwork.set(network, ofNetwork + 1);
    let isCounted = true;
    const address = addressOf(socket.remoteAddress, socket.remotePort);
    const timer = setTimeout(() => {
      send({kind: 'event', event: {event: 'refusal', reason: 'log-in took too long', address: network}});
      socket.destroy();
    }, limits.loginMs);
    const leave = () => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(timer);
      newSockets.delete(address);
      count--;
      const left = (newOfNetwork.get(network) ?? 1) - 1;
      if (left > 0) newOfNetwork.set(network, left);
      else newOfNetwork.delete(network);
    };
    newSockets.set(address, leave);
    socket.once('close', leave);
    server.injectSocket(socket);
  });
  listener.on('error', (error) => {
    if (!listener.listening) send({kind: 'failed', problem: errorText(error)});
  });
  listener.listen(options.port, options.host, () => {
    const address = listener.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    send({kind: 'listening', port, fingerprint: fingerprintOfHostKey(hostKey)});
  });
  return context;
}

/** Runs the SSH process. */
export function runSshFront(): void {
  if (process.send === undefined) {
    process.exitCode = 2;
    writeControls(process.stderr, 'This process is started by “parley serve --ssh”.\n');
    return;
  }
  const asker = new Asker();
  let context: FrontContext | undefined;
  const report = (error: unknown) => send({kind: 'notice', text: `SSH: ${errorText(error)}`});
  // A client must not end the connections of others.
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  process.on('message', (message: ToFront) => {
    if (message.kind === 'answer') asker.answer(message.id, message.answer);
    else if (message.kind === 'serve') context = serve(message.options, asker);
    else for (const connection of context?.connections ?? []) connection.endIf(message);
  });
  // The server has ended: sessions end with this process, because their streams do.
  process.on('disconnect', () => {
    context?.pool.stop();
    process.exit(0);
  });
}
