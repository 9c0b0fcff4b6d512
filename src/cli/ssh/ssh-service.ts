import {type ChildProcess, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {launchFlags, sessionFlags} from '#build/launch-flags.ts';
import {listenAt} from '#cli/embedded/client-socket.ts';
import {PlainFailure} from '#cli/io.ts';
import {acceptInvite} from '#server/actions/organization/invites.ts';
import {addSshKey, findSshKey, noteSshKeyUse} from '#server/actions/users/ssh-keys.ts';
import type {ServerContext, SshService} from '#server/context.ts';
import {findInviteByKey} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError} from '#server/errors.ts';
import type {ServerEvent} from '#server/http/server-events.ts';
import {recordAdministration, recordAfterwards} from '#server/organization/administration-log.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {RunningServer} from '#server/server.ts';
import type {Clock} from '#std/clock.ts';
import {isRunningSources, type ProgramCommand, programCommand} from '#std/program-files.ts';
import type {
  ConnectionEvent,
  FromFront,
  FrontOptions,
  KeyOwner,
  Question,
  Questions,
  ToFront,
} from './front-messages.ts';
import {type Limits, usualLimits} from './limits.ts';
import {folderProblem} from './session-process.ts';

interface SshOptions {
  readonly server: RunningServer;
  /** The data directory. */
  readonly directory: string;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly limits?: Partial<Limits>;
  readonly log: {line(text: string, error?: unknown): void; event(event: ServerEvent): void};
}

const [firstPauseMs, longestPauseMs] = [500, 30_000];
/** How often people with open connections are looked at, because their accounts may have been deactivated. */
const checkMs = 10_000;
/** Refused log-ins are in the log; of many, one in this time is in the list of administration, which has no room for a flood. */
const auditPauseMs = 60_000;

/** Serves SSH beside a server: starts the SSH process, answers its questions, and starts it again when it ends. */
export async function startSsh(options: SshOptions): Promise<SshService> {
  const problem = folderProblem(options.directory);
  if (problem !== undefined) throw new PlainFailure(problem);
  const folder = join(options.directory, 'ssh');
  mkdirSync(join(folder, 'people'), {recursive: true, mode: 0o700});
  removeFoldersOfNobody(options.server.context, folder);
  await listenAt(options.server.localListener(), folder, socketName);
  const service = new RunningSsh(options, folder, await builtProgram());
  return service.start();
}

/** The socket at which the server answers sessions. */
const socketName = 'server.sock';

/** Returns the command of the bundle: from the sources, sessions could not draw. */
async function builtProgram(): Promise<ProgramCommand> {
  if (!isRunningSources()) return programCommand();
  const {bundleAddress} = await import('#build/run-bundle.ts');
  return {file: process.execPath, args: [fileURLToPath(await bundleAddress())]};
}

/** Returns the options of Node for sessions. With those of their own, all code would be compiled at each start if none is there for them. */
function flagsOfSessions({args: [start]}: ProgramCommand): readonly string[] {
  const folder = start === undefined ? '' : join(dirname(start), 'compiled');
  const end = `-${process.version}-${process.arch}-session-limited.cache`;
  const isCompiled = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(end));
  return isCompiled ? sessionFlags : launchFlags;
}

/** Removes what is kept for people whose accounts do not exist any more. */
function removeFoldersOfNobody({db}: ServerContext, folder: string): void {
  const people = join(folder, 'people');
  for (const name of readdirSync(people)) {
    if ((findUser(db, Number(name))?.is_deleted ?? 1) === 1) rmSync(join(people, name), {recursive: true, force: true});
  }
}

class RunningSsh implements SshService {
  readonly #options: SshOptions;
  readonly #folder: string;
  readonly #program: ProgramCommand;
  #front: ChildProcess | undefined;
  #port: number;
  #fingerprint = '';
  #pauseMs = firstPauseMs;
  #isListening = false;
  #isStopped = false;
  #cancel = () => {};
  #cancelCheck = () => {};
  #auditedAt = Number.NEGATIVE_INFINITY;
  /** Called when a session has ended. */
  readonly #onClosed = new Set<() => void>();

  constructor(options: SshOptions, folder: string, program: ProgramCommand) {
    this.#options = options;
    this.#folder = folder;
    this.#program = program;
    this.#port = options.port;
  }

  get host(): string {
    return this.#options.host;
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | undefined {
    return this.#isListening ? this.#front?.pid : undefined;
  }

  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Resolves when the SSH process listens. Rejects if it cannot at its first start. */
  async start(): Promise<SshService> {
    const {server} = this.#options;
    server.context.ssh = this;
    try {
      await this.#startFront();
    } catch (error) {
      this.stop();
      throw error;
    }
    this.#checkPeople();
    return this;
  }

  endKey(fingerprint: string): void {
    this.#send({kind: 'end', fingerprint});
  }

  endPerson(userId: number): Promise<void> {
    const {connectionKeys} = this.#options.server.context;
    this.#send({kind: 'end', userId});
    const {promise, resolve} = Promise.withResolvers<void>();
    const look = () => {
      if ([...connectionKeys.values()].includes(userId)) return;
      this.#onClosed.delete(look);
      resolve();
    };
    this.#onClosed.add(look);
    look();
    return promise;
  }

  #sayClosed(): void {
    for (const look of this.#onClosed) look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#cancelCheck();
    this.#options.server.context.ssh = undefined;
    // Its sessions save what they have when their streams end.
    this.#front?.disconnect();
  }

  #startFront(): Promise<void> {
    const {host, log, clock} = this.#options;
    const {file, args} = this.#program;
    const front = spawn(file, [...args, 'ssh-front'], {
      env: {},
      cwd: dirname(this.#folder),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#front = front;
    let errors = '';
    front.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4096);
    });
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    front.on('error', reject);
    front.on('message', (message: FromFront) => {
      if (message.kind === 'listening') {
        this.#port = message.port;
        this.#fingerprint = message.fingerprint;
        this.#pauseMs = firstPauseMs;
        this.#isListening = true;
        resolve();
      } else if (message.kind === 'failed') {
        reject(new PlainFailure(`SSH cannot be served at ${host}:${this.#port}: ${message.problem}.`));
        // After a restart, it is tried again.
        front.kill();
      } else this.#handle(message);
    });
    front.once('exit', (code, signal) => {
      const reason = `${code ?? signal}${reasonIn(errors)}`;
      reject(new PlainFailure(`The SSH process ended at its start: ${reason}.`));
      this.#isListening = false;
      this.#options.server.context.connectionKeys.clear();
      this.#sayClosed();
      if (this.#isStopped || this.#fingerprint === '') return;
      log.line(`The SSH process ended and is started again: ${reason}.`);
      this.#cancel = clock.after(this.#pauseMs, () => {
        this.#startFront().catch((error: unknown) => log.line('SSH is not served', error));
      });
      this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    });
    const options: FrontOptions = {
      host,
      port: this.#port,
      folder: this.#folder,
      socketName,
      program: this.#program,
      flags: flagsOfSessions(this.#program),
      limits: {...usualLimits, ...this.#options.limits},
    };
    this.#send({kind: 'serve', options});
    return promise;
  }

  #send(message: ToFront): void {
    if (this.#front?.connected === true) this.#front.send(message, () => {});
  }

  #handle(message: Exclude<FromFront, {kind: 'listening' | 'failed'}>): void {
    const {server, log} = this.#options;
    if (message.kind === 'notice') log.line(message.text);
    else if (message.kind === 'closed') {
      server.context.connectionKeys.delete(message.key);
      this.#sayClosed();
    } else if (message.kind === 'event') this.#note(message.event);
    else {
      let answer: unknown;
      try {
        answer = this.#answer(message.question);
      } catch (error) {
        log.line('A question of the SSH process failed', error);
        answer = {};
      }
      this.#send({kind: 'answer', id: message.id, answer});
    }
  }

  /** Writes a line of the log, and an entry of the list of administration. */
  #note({event, reason, address, user}: ConnectionEvent): void {
    const {server, log, clock} = this.#options;
    log.event({event, request: 'SSH', user, address, code: reason});
    const now = clock.monotonic();
    if (event === 'refusal' && now - this.#auditedAt < auditPauseMs) return;
    if (event === 'refusal') this.#auditedAt = now;
    const target = user === undefined ? {} : {user_id: user};
    const entry = {userId: user ?? null, at: this.#seconds, action: `ssh.${event}`, target, fields: [], changes: {}};
    recordAfterwards(() => recordAdministration(server.context.db, entry));
  }

  get #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }

  #answer(question: Question): Questions[Question['ask']]['answer'] {
    const {context} = this.#options.server;
    if (organization({server: context}).is_deactivated) return {};
    if (question.ask === 'key') return this.#keyOwner(question);
    return question.ask === 'join' ? this.#join(question) : this.#open(question);
  }

  #keyOwner({fingerprint, name}: Questions['key']['params']): Questions['key']['answer'] {
    const {context} = this.#options.server;
    const row = findSshKey(context.db, fingerprint);
    if (row !== undefined) {
      const owner = ownerOf(findUser(context.db, row.user_id));
      return owner === undefined ? {} : {owner};
    }
    const invite = findInviteByKey(context.db, name, this.#seconds);
    if (invite === undefined) return {};
    return {invitation: {email: invite.email, organization: organization({server: context}).name}};
  }

  #join({code, fullName, email, key}: Questions['join']['params']): Questions['join']['answer'] {
    const {context} = this.#options.server;
    try {
      return context.runAction((act) => {
        const invite = findInviteByKey(act.db, code, act.now);
        if (invite === undefined) return {problem: 'The invitation is no longer valid.'};
        if (fullName === '') return {problem: 'Enter your name.'};
        const registration = {fullName, email: invite.email ?? email, passwordHash: undefined};
        const user = acceptInvite(act, invite, registration);
        addSshKey(act, user, key);
        const owner = ownerOf(user);
        return owner === undefined ? {} : {owner};
      });
    } catch (error) {
      if (error instanceof ApiError) return {problem: error.message};
      throw error;
    }
  }

  /** Makes a key of the server for one connection. */
  #open({fingerprint, userId}: Questions['open']['params']): Questions['open']['answer'] {
    const {context} = this.#options.server;
    const row = findSshKey(context.db, fingerprint);
    const user = findUser(context.db, userId);
    if (row?.user_id !== userId || ownerOf(user) === undefined || user === undefined) return {};
    noteSshKeyUse(context, row.id, this.#seconds);
    const key = randomBytes(16).toString('hex');
    context.connectionKeys.set(key, userId);
    const {name} = organization({server: context});
    return {account: {site: context.url, email: user.delivery_email, key, name}};
  }

  /** Ends connections of people whose accounts were deactivated. */
  #checkPeople(): void {
    const {server, clock} = this.#options;
    const {db, connectionKeys} = server.context;
    for (const userId of new Set(connectionKeys.values())) {
      if (ownerOf(findUser(db, userId)) === undefined) this.#send({kind: 'end', userId});
    }
    this.#cancelCheck = clock.after(checkMs, () => this.#checkPeople());
  }
}

/** Returns the message of an error that Node printed with its stack. */
function reasonIn(errors: string): string {
  const line = errors.split('\n').find((each) => /^\w*Error\b/.test(each));
  return line === undefined ? '' : `, ${line}`;
}

function ownerOf(user: UserRow | undefined): KeyOwner | undefined {
  if (user === undefined || user.is_active === 0 || user.is_bot === 1) return undefined;
  return {userId: user.id, email: user.delivery_email};
}
