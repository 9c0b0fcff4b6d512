import type {ChildProcess} from 'node:child_process';
import {rmSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import type {AuthContext, Connection, PublicKeyAuthContext, ServerChannel, Session} from 'ssh2';
import {throughShortPath} from '#cli/embedded/client-socket.ts';
import {writeControls} from '#cli/io.ts';
import {RateLimiter} from '#server/rate-limiter.ts';
import {fingerprintOf, isSignedBy, parsePublicKey} from '#server/ssh/public-key.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import type {ConnectionEvent, FromFront, FrontOptions, KeyOwner, Questions, ToFront} from './front-messages.ts';
import type {Limits} from './limits.ts';
import {LineDialogue} from './line-dialogue.ts';
import type {FromSession, SessionStart, ToSession} from './session-messages.ts';
import {folderBytes, personFolder, type SessionPool, type WaitingSession} from './session-pool.ts';
import {isAcceptedVariable, splitCommand, terminalSizeOf} from './ssh-command.ts';

/** What all connections share. */
export interface FrontContext {
  readonly options: FrontOptions;
  readonly clock: Clock;
  readonly pool: SessionPool;
  readonly ask: <N extends keyof Questions>(name: N, params: Questions[N]['params']) => Promise<Questions[N]['answer']>;
  readonly send: (message: FromFront) => void;
  readonly connections: Set<Pick<FrontConnection, 'userId' | 'admitted' | 'endIf'>>;
}

interface Client {
  readonly network: string;
  /** Called when the person has logged in. */
  readonly onLogin: () => void;
}

/** A client that sends more than the session reads does not keep to the protocol. */
const maxUnread = 8 * 1024 * 1024;
/** A session that has not ended after this time is killed. */
const endMs = 5000;
/** Connections to the server of one session in a minute. */
const socketsPerMinute = 120;
export function serveClient(context: FrontContext, connection: Connection, client: Client): void {
  const served = new FrontConnection(context, connection, client);
  context.connections.add(served);
  connection.once('close', () => context.connections.delete(served));
}

interface Invitation {
  readonly code: string;
  readonly email: string | null;
  readonly organization: string;
  /** The key that becomes the person's, a line in OpenSSH's format. */
  readonly key: string;
}

/** Who has logged in. */
interface Login {
  readonly fingerprint: string;
  readonly owner?: KeyOwner | undefined;
  readonly invitation?: Invitation | undefined;
}

/** What a client has asked for before the session begins. */
interface Terminal {
  env: Record<string, string>;
  size: SessionStart['size'];
}

/** A connection of a client: its log-in, and its sessions. */
class FrontConnection {
  readonly #context: FrontContext;
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #children = new Set<ChildProcess>();
  #tries = 0;
  #sessions = 0;
  /** Those that may run. */
  #admitted = 0;
  #login: Login | undefined;

  constructor(context: FrontContext, connection: Connection, client: Client) {
    this.#context = context;
    this.#connection = connection;
    this.#client = client;
    // The peer broke the connection or the protocol; the close follows.
    connection.on('error', () => {});
    connection.on('authentication', (attempt) => void this.#authenticate(attempt));
    connection.on('ready', () => {
      client.onLogin();
      this.#note('login', this.#login?.invitation === undefined ? 'key' : 'invitation');
    });
    connection.on('session', (accept, reject) => {
      if (this.#sessions >= this.#limits.sessionsOfConnection) reject();
      else this.#serveSession(accept());
    });
    connection.once('close', () => {
      for (const child of this.#children) endSession(child);
    });
  }

  get #limits(): Limits {
    return this.#context.options.limits;
  }

  get userId(): number | undefined {
    return this.#login?.owner?.userId;
  }

  get admitted(): number {
    return this.#admitted;
  }

  /** Ends the connection if it is one of this key or person. */
  endIf(end: Extract<ToFront, {kind: 'end'}>): void {
    const isMeant =
      end.fingerprint === this.#login?.fingerprint || (end.userId !== undefined && end.userId === this.userId);
    if (this.#login !== undefined && isMeant) this.#connection.end();
  }

  #note(event: ConnectionEvent['event'], reason: string): void {
    this.#context.send({kind: 'event', event: {event, reason, address: this.#client.network, user: this.userId}});
  }

  async #authenticate(attempt: AuthContext): Promise<void> {
    if (++this.#tries > this.#limits.tries) {
      this.#note('refusal', 'too many tries');
      this.#connection.end();
      return;
    }
    const login = attempt.method === 'publickey' ? await this.#loginWith(attempt as PublicKeyAuthContext) : undefined;
    if (login === undefined) attempt.reject(['publickey']);
    else {
      // Without a signature, the client only asks whether the key is known.
      if ('signature' in attempt && attempt.signature !== undefined) this.#login = login;
      attempt.accept();
    }
  }

  /** Returns who logs in; undefined for a key that is unknown or not the client's. The client asks first whether a key is known. */
  async #loginWith({key, username, signature, blob, hashAlgo}: PublicKeyAuthContext): Promise<Login | undefined> {
    const fingerprint = fingerprintOf(key.data);
    const {owner, invitation} = await this.#context.ask('key', {fingerprint, name: username.slice(0, 100)});
    const line = `${key.algo} ${key.data.toString('base64')}`;
    const isKnown = owner !== undefined || (invitation !== undefined && isAcceptable(line));
    const proof = {type: key.algo, blob: key.data, hash: hashAlgo, signature, signed: blob};
    if (signature !== undefined && blob !== undefined) {
      const isProven = isKnown && isSignedBy({...proof, signature, signed: blob});
      if (!isProven) this.#note('refusal', isKnown ? 'wrong signature' : 'unknown key');
      if (!isProven) return undefined;
    } else if (!isKnown) {
      this.#note('refusal', 'unknown key');
      return undefined;
    }
    return {fingerprint, owner, invitation: invitation && {...invitation, code: username, key: line}};
  }

  #serveSession(session: Session): void {
    this.#sessions++;
    const terminal: Terminal = {env: {}, size: undefined};
    let running: Promise<ChildProcess | undefined> | undefined;
    session.once('close', () => this.#sessions--);
    session.on('pty', (accept, _reject, info) => {
      terminal.size = terminalSizeOf(info);
      const term = String(Reflect.get(info, 'term') ?? '');
      terminal.env = {...terminal.env, TERM: isAcceptedVariable('TERM', term) ? term : 'xterm'};
      accept?.();
    });
    session.on('env', (accept, reject, {key, val}) => {
      if (!isAcceptedVariable(key, val)) reject?.();
      else {
        terminal.env = {...terminal.env, [key]: val};
        accept?.();
      }
    });
    session.on('window-change', (accept, _reject, info) => {
      terminal.size = terminalSizeOf(info);
      void running?.then((child) => child && sendTo(child, {kind: 'size', size: terminalSizeOf(info)}));
      accept?.();
    });
    session.on('signal', (accept, _reject, {name}) => {
      const signal = ({INT: 'SIGINT', TERM: 'SIGTERM', HUP: 'SIGHUP'} as const)[name as string];
      void running?.then((child) => signal !== undefined && child?.kill(signal));
      accept?.();
    });
    const begin = (channel: ServerChannel, command: string) => {
      running = this.#begin(channel, terminal, command).catch((error: unknown) => {
        this.#context.send({kind: 'notice', text: `SSH: ${errorText(error)}`});
        refuse(channel, 'The session could not be started. Try again later.');
        return undefined;
      });
    };
    session.once('shell', (accept) => begin(accept(), ''));
    session.once('exec', (accept, _reject, {command}) => begin(accept(), command));
  }

  /** Starts what the client asked for on its channel. Returns undefined when it is refused, with a sentence. */
  async #begin(channel: ServerChannel, terminal: Terminal, command: string): Promise<ChildProcess | undefined> {
    channel.on('error', () => {});
    const args = splitCommand(command);
    if ('problem' in args) return refuse(channel, args.problem, 2);
    if (this.#login?.invitation !== undefined && this.#login.owner === undefined) {
      const problem = await this.#join(channel, terminal, this.#login.invitation);
      if (problem !== undefined) return refuse(channel, problem);
    }
    const owner = this.#login?.owner;
    if (this.#login === undefined || owner === undefined) return refuse(channel, 'Nobody has logged in.');
    const limit = this.#limitProblem(owner.userId);
    if (limit !== undefined) return refuse(channel, limit);
    this.#admitted++;
    channel.once('close', () => this.#admitted--);
    const {account} = await this.#context.ask('open', {fingerprint: this.#login.fingerprint, userId: owner.userId});
    if (account === undefined) return refuse(channel, 'Your account cannot be used.');
    const close = () => this.#context.send({kind: 'closed', key: account.key});
    try {
      const session = await this.#context.pool.take(owner.userId);
      session.child.once('exit', close);
      this.#attach(channel, session, owner.userId);
      const {size, env} = terminal;
      sendTo(session.child, {kind: 'start', start: {args, size, env, account}});
      return session.child;
    } catch (error) {
      close();
      throw error;
    }
  }

  #limitProblem(userId: number): string | undefined {
    const {connections, options} = this.#context;
    const {sessionsOfPerson, sessionsInAll, quotaBytes} = this.#limits;
    const others = [...connections];
    const sum = (some: readonly {readonly admitted: number}[]) =>
      some.reduce((total, {admitted}) => total + admitted, 0);
    const ofPerson = sum(others.filter((each) => each.userId === userId));
    const problem =
      ofPerson >= sessionsOfPerson
        ? `You have ${sessionsOfPerson} sessions already. End one of them first.`
        : sum(others) >= sessionsInAll
          ? 'The server has too many sessions. Try again later.'
          : isOverQuota(options.folder, userId, quotaBytes)
            ? fullFolder(quotaBytes)
            : undefined;
    if (problem !== undefined) this.#note('refusal', problem);
    return problem;
  }

  /** Connects the streams of a session with the channel, until one of them ends. */
  #attach(channel: ServerChannel, {child}: WaitingSession, userId: number): void {
    const {stdin, stdout, stderr} = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('A session has no streams.');
    const {clock, options} = this.#context;
    const limits = this.#limits;
    this.#children.add(child);
    stdin.on('error', () => {});
    channel.pipe(stdin);
    // The exit status comes between the output and the end of the channel. A full channel lets the session wait, and nobody else.
    stdout.pipe(channel, {end: false});
    stderr.pipe(channel.stderr, {end: false});
    let reason: string | undefined;
    const end = (why?: string) => {
      reason = why;
      endSession(child);
    };
    const idle = setTimeout(() => end('The session was ended because no key was pressed for long.'), limits.idleMs);
    channel.on('data', () => {
      idle.refresh();
      if (channel.readableLength > maxUnread) this.#connection.end();
    });
    const quota = setInterval(() => {
      if (isOverQuota(options.folder, userId, limits.quotaBytes)) end(fullFolder(limits.quotaBytes));
    }, limits.quotaCheckMs);
    channel.once('close', () => end());
    const limiter = new RateLimiter(clock, socketsPerMinute, 60);
    child.on('message', (message: FromSession) => {
      if (message.kind !== 'socket' || !Number.isSafeInteger(message.id)) return;
      if (limiter.take('').allowed) void this.#openSocket(child, message.id);
      else sendTo(child, {kind: 'socket', id: message.id, problem: 'Too many connections.'});
    });
    child.once('close', (code, signal) => {
      clearTimeout(idle);
      clearInterval(quota);
      this.#children.delete(child);
      if (code === null) {
        this.#context.send({kind: 'notice', text: `A session over SSH was ended by ${signal}.`});
        reason ??= 'The session has ended unexpectedly. What you wrote is saved.';
      }
      if (reason !== undefined) writeControls(channel.stderr, `${reason}\r\n`);
      endChannel(channel, code ?? 255);
    });
  }

  /** Opens a connection to the server and hands it to a session. */
  async #openSocket(child: ChildProcess, id: number): Promise<void> {
    const socket = await throughShortPath(
      this.#context.options.folder,
      this.#context.options.socketName,
      async (path) => {
        const {promise, resolve} = Promise.withResolvers<boolean>();
        const opening = connect(path).on('error', () => resolve(false));
        opening.once('connect', () => resolve(true));
        return (await promise) ? opening : undefined;
      },
    );
    if (socket === undefined) sendTo(child, {kind: 'socket', id, problem: 'The server cannot be reached.'});
    else if (child.connected) child.send({kind: 'socket', id} satisfies ToSession, socket, () => {});
    else socket.destroy();
  }

  /** Creates the account of somebody with an invitation. Returns a problem if that is not done. */
  async #join(channel: ServerChannel, {size}: Terminal, invitation: Invitation): Promise<string | undefined> {
    if (size === undefined) return 'Your key is not known here yet. Connect once with a terminal to join: ssh -t …';
    const dialogue = new LineDialogue(channel);
    dialogue.say(`Join ${invitation.organization}\n`);
    for (;;) {
      const email = invitation.email ?? (await dialogue.ask('Your e-mail address: '));
      if (email === undefined) return 'Nothing was created.';
      const fullName = await dialogue.ask(`${invitation.email === null ? '' : `${email}\r\n`}Your name: `);
      if (fullName === undefined) return 'Nothing was created.';
      const {code, key} = invitation;
      const {owner, problem} = await this.#context.ask('join', {code, fullName, email, key});
      if (owner !== undefined && this.#login !== undefined) {
        this.#login = {...this.#login, owner};
        this.#note('join', 'invitation');
        return undefined;
      }
      // Meanwhile the invitation may have been used or revoked, and the key may belong to somebody.
      const name = code;
      const {invitation: left} = await this.#context.ask('key', {fingerprint: this.#login?.fingerprint ?? '', name});
      const text = problem ?? 'That did not work.';
      if (left === undefined) return text;
      dialogue.say(text);
    }
  }
}

function isAcceptable(line: string): boolean {
  try {
    parsePublicKey(line);
    return true;
  } catch {
    return false;
  }
}

function refuse(channel: ServerChannel, sentence: string, code = 1): undefined {
  writeControls(channel.stderr, `${sentence}\r\n`);
  endChannel(channel, code);
}

/** Ends a channel with an exit status. What the client still sends is not read: without that, it would stay open. */
function endChannel(channel: ServerChannel, code: number): void {
  channel.unpipe();
  channel.resume();
  channel.exit(code);
  channel.end(() => channel.close());
}

function sendTo(child: ChildProcess, message: ToSession): void {
  // It may have ended: then nobody waits for the message.
  if (child.connected) child.send(message, () => {});
}

/** Ends a session as a closed terminal does: it saves what is not saved yet. */
function endSession(child: ChildProcess): void {
  child.kill('SIGHUP');
  const timer = setTimeout(() => child.kill('SIGKILL'), endMs);
  child.once('exit', () => clearTimeout(timer));
}

function fullFolder(quotaBytes: number): string {
  return `Your folder on the server is full: it may have ${quotaBytes / 2 ** 20} MiB. Ask the people who run the server.`;
}

/** Returns whether the folder of a person has too much in it, after what can be fetched again was removed. */
function isOverQuota(folder: string, userId: number, quotaBytes: number): boolean {
  const own = personFolder(folder, userId);
  try {
    if (folderBytes(own) <= quotaBytes) return false;
    rmSync(join(own, '.cache'), {recursive: true, force: true});
    return folderBytes(own) > quotaBytes;
  } catch {
    // There is none yet.
    return false;
  }
}
