import {generateKeyPairSync, sign} from 'node:crypto';
import {EventEmitter} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Duplex, PassThrough} from 'node:stream';
import type {Connection, ServerChannel} from 'ssh2';
import {expect, test} from 'vitest';
import {type FrontContext, serveClient} from '#cli/ssh/front-connection.ts';
import type {FromFront, KeyOwner} from '#cli/ssh/front-messages.ts';
import {type Limits, usualLimits} from '#cli/ssh/limits.ts';
import type {SessionPool} from '#cli/ssh/session-pool.ts';
import {fingerprintOf} from '#server/ssh/public-key.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** The process of a session, which ends when it is killed. */
class SessionChild extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly connected = true;
  readonly messages: {readonly kind: string; readonly problem?: string}[] = [];

  send(message: SessionChild['messages'][number]): void {
    this.messages.push(message);
  }

  kill(): void {
    this.emit('exit', 0);
    this.emit('close', 0);
  }
}

/** A channel of a client, with what it got. */
class ClientChannel extends Duplex {
  readonly stderr = new PassThrough();
  errors = '';
  code: number | undefined;

  constructor() {
    super({read() {}, write: (_chunk, _encoding, done) => done()});
    this.stderr.on('data', (chunk) => {
      this.errors += chunk;
    });
  }

  exit(code: number): void {
    this.code = code;
  }

  close(): void {
    this.destroy();
  }
}

function newKey() {
  const {publicKey, privateKey} = generateKeyPairSync('ed25519');
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const raw = Buffer.from(String(publicKey.export({format: 'jwk'}).x), 'base64url');
  const data = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]);
  return {privateKey, data, fingerprint: fingerprintOf(data)};
}

type Key = ReturnType<typeof newKey>;

/** What connections over SSH share, without a network, a server or processes. `owners` are by fingerprint. */
function frontFixture(limits: Partial<Limits> = {}) {
  const owners = new Map<string, KeyOwner>();
  const children: SessionChild[] = [];
  const sent: FromFront[] = [];
  const folder = scratchDirectory();
  const context: FrontContext = {
    options: {
      host: '',
      port: 0,
      folder,
      socketName: 'server',
      program: {file: '', args: []},
      flags: [],
      limits: {...usualLimits, ...limits},
    },
    clock: new ManualClock(),
    pool: {
      take: async () => {
        const child = new SessionChild();
        children.push(child);
        return {child, link: ''};
      },
    } as unknown as SessionPool,
    // Each question has the answer of its name.
    ask: (async (name: string, {fingerprint = ''}: {fingerprint?: string}) => {
      const owner = owners.get(fingerprint);
      if (name === 'key') return owner === undefined ? {} : {owner};
      const site = 'http://127.0.0.1';
      return owner === undefined ? {} : {account: {site, email: owner.email, key: `${children.length}`, name: 'Quay'}};
    }) as FrontContext['ask'],
    send: (message) => sent.push(message),
    connections: new Set(),
  };

  /** Connects a client of a network. */
  function connect() {
    const connection = Object.assign(new EventEmitter(), {end: () => void connection.emit('close')});
    let isOpen = true;
    connection.once('close', () => {
      isOpen = false;
    });
    serveClient(context, connection as unknown as Connection, {network: '192.0.2.1', onLogin: () => {}});
    const authenticate = (key: Key, signature?: Buffer) =>
      new Promise<boolean>((resolve) => {
        connection.once('close', () => resolve(false));
        const signed = Buffer.from('the session');
        const proof = signature === undefined ? {} : {signature, blob: signed};
        connection.emit('authentication', {
          method: 'publickey',
          username: 'chat',
          key: {algo: 'ssh-ed25519', data: key.data},
          ...proof,
          accept: () => resolve(true),
          reject: () => resolve(false),
        });
      });
    return {
      isOpen: () => isOpen,
      authenticate,
      logIn: (key: Key) => authenticate(key, sign(null, Buffer.from('the session'), key.privateKey)),
      /** Runs a command; undefined if the session is refused. */
      async run(command = '') {
        const channel = new ClientChannel();
        const session = new EventEmitter();
        channel.once('close', () => session.emit('close'));
        let isRefused = false;
        connection.emit(
          'session',
          () => session,
          () => {
            isRefused = true;
          },
        );
        if (isRefused) return undefined;
        const accept = () => channel as unknown as ServerChannel;
        const before = children.length;
        session.emit('exec', accept, () => {}, {command});
        await expect.poll(() => children.length > before || channel.code !== undefined).toBe(true);
        return {channel, child: children[before]};
      },
    };
  }

  function add(userId: number): Key {
    const key = newKey();
    owners.set(key.fingerprint, {userId, email: `person${userId}@example.com`});
    return key;
  }
  const refusals = () => sent.flatMap((message) => (message.kind === 'event' ? [message.event.reason] : []));
  return {context, owners, children, sent, folder, connect, add, refusals};
}

test('SSH connection: only the signature of a known key logs in; refusals are told, and tries are limited', async () => {
  const {connect, add, refusals} = frontFixture({tries: 3});
  const [known, unknown] = [add(1), newKey()];
  const client = connect();
  // The client asks whether the key is known, before it signs.
  expect(await client.authenticate(known)).toBe(true);
  expect((await client.run('unread'))?.channel.errors).toBe('Nobody has logged in.\r\n');
  const foreign = sign(null, Buffer.from('the session'), unknown.privateKey);
  expect(await client.authenticate(known, foreign)).toBe(false);
  expect(await client.logIn(unknown)).toBe(false);
  expect(refusals()).toEqual(['wrong signature', 'unknown key']);
  expect(await client.logIn(known)).toBe(false);
  expect([client.isOpen(), refusals().at(-1)]).toEqual([false, 'too many tries']);
  const other = connect();
  expect(await other.logIn(known)).toBe(true);
  expect((await other.run('unread'))?.child?.messages).toMatchObject([{kind: 'start', start: {args: ['unread']}}]);
});

test('SSH connection: sessions of a connection, of a person and in all are limited until one ends', async () => {
  const {connect, add} = frontFixture({sessionsOfConnection: 2, sessionsOfPerson: 3, sessionsInAll: 4});
  const [meg, otto] = [add(1), add(2)];
  const clients = [connect(), connect(), connect()] as const;
  const [first, second, third] = clients;
  for (const [client, key] of [
    [first, meg],
    [second, meg],
    [third, otto],
  ] as const)
    await client.logIn(key);
  const errorsOf = async (client: ReturnType<typeof connect>) => (await client.run())?.channel.errors;
  const running = await first.run();
  expect(await errorsOf(first)).toBe('');
  expect(await errorsOf(first)).toBeUndefined();
  expect(await errorsOf(second)).toBe('');
  expect(await errorsOf(second)).toBe('You have 3 sessions already. End one of them first.\r\n');
  expect(await errorsOf(third)).toBe('');
  expect(await errorsOf(third)).toBe('The server has too many sessions. Try again later.\r\n');
  running?.child?.kill();
  await expect.poll(() => running?.channel.destroyed).toBe(true);
  expect(await errorsOf(first)).toBe('');
});

test('SSH connection: a removed key, or a deactivated account, ends its connections and no others', async () => {
  const {context, connect, add, owners, sent} = frontFixture();
  const [meg, second, otto] = [add(1), add(1), add(2)];
  const keys = [meg, second, otto];
  const clients = keys.map(() => connect());
  for (const [at, key] of keys.entries()) await clients[at]?.logIn(key);
  const open = () => clients.map((client) => client.isOpen());
  const end = (what: object) => {
    for (const connection of context.connections) connection.endIf({kind: 'end', ...what});
  };
  const running = await clients[0]?.run();
  end({fingerprint: meg.fingerprint});
  expect(open()).toEqual([false, true, true]);
  // Its session ends, and with it the key of the server.
  await expect.poll(() => running?.channel.code).toBe(0);
  expect(sent).toContainEqual({kind: 'closed', key: '0'});
  end({userId: 1});
  expect(open()).toEqual([false, false, true]);
  owners.delete(otto.fingerprint);
  expect((await clients[2]?.run())?.channel.errors).toBe('Your account cannot be used.\r\n');
});

test('SSH connection: a full folder is refused, also later, and what can be fetched again does not count', async () => {
  const {connect, add, folder} = frontFixture({quotaBytes: 20_000, quotaCheckMs: 5});
  const key = add(1);
  const own = join(folder, 'people', '1');
  mkdirSync(join(own, '.cache'), {recursive: true});
  writeFileSync(join(own, '.cache', 'picture'), Buffer.alloc(30_000));
  const client = connect();
  await client.logIn(key);
  const running = await client.run();
  expect(running?.channel.errors).toBe('');
  writeFileSync(join(own, 'drafts'), Buffer.alloc(30_000));
  const sentence = /^Your folder on the server is full: it may have [\d.]+ MiB\. /;
  await expect.poll(() => running?.channel.errors).toMatch(sentence);
  expect((await client.run())?.channel.errors).toMatch(sentence);
});

test('SSH connection: a screen without a key for long ends with a sentence, and a wrong command is exit code 2', async () => {
  const {connect, add} = frontFixture({idleMs: 5});
  const client = connect();
  await client.logIn(add(1));
  const running = await client.run();
  await expect
    .poll(() => running?.channel.errors)
    .toBe('The session was ended because no key was pressed for long.\r\n');
  const wrong = await client.run(`send "unfinished`);
  expect([wrong?.channel.code, wrong?.child]).toEqual([2, undefined]);
});
