import {chmodSync, statSync} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {listenAt} from '#cli/embedded/client-socket.ts';
import type {CommandRunner} from '#commands/command.ts';
import {ConfigError, ensurePrivateDirectory, isOurs} from '#config/private-files.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {unreadCounts, viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {App} from '#ui/core/app.ts';
import type {ServerEvent} from '#wire/events.ts';
import {ControlClient} from './control-client.ts';
import {type ControlledProgram, callMethod} from './control-methods.ts';
import {describeMessage} from './describe-screen.ts';
import {
  type AccountStatus,
  controlSocketName,
  type ProgramStatus,
  removeControlFiles,
  removeStaleFiles,
  writeStatusFile,
} from './status-text.ts';

/** An open account, as far as it is needed here. */
export interface ControlledAccount {
  readonly app: App;
  /** Calls the listener with each batch of events, after it was applied. */
  onEvents(listener: (events: readonly ServerEvent[]) => void): void;
}

export interface ControlParts {
  readonly folder: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly runner: CommandRunner;
  readonly shown: () => App | undefined;
  readonly log: (line: string, error?: unknown) => void;
}

const maxClients = 16;
/** The status file and events about counts and connections are written at most this often. */
const statusIntervalMs = 1000;

/** The control socket and the status file of this process, from start to end. */
export class ControlServer {
  readonly #parts: ControlParts;
  readonly #server: Server;
  readonly #clients = new Set<ControlClient>();
  readonly #apps = new Set<App>();
  readonly #program: ControlledProgram;
  readonly #startedAt: number;
  #written: readonly AccountStatus[] = [];
  #writtenAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  private constructor(parts: ControlParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#program = {
      runner: parts.runner,
      shown: parts.shown,
      app: (name) => [...this.#apps].find(({info}) => info.accountName === name),
      status: () => this.#status(),
    };
    this.#server = createServer((socket) => {
      const client = new ControlClient(socket, {
        call: (from, method, params) => callMethod(this.#program, from, method, params),
        onBug: (error) => parts.log('A request at the control socket failed', error),
      });
      if (this.#clients.size >= maxClients) {
        client.refuse(`Parley has ${maxClients} connections at its control socket already.`);
        return;
      }
      this.#clients.add(client);
      socket.once('close', () => this.#clients.delete(client));
    });
  }

  /** Opens the socket in the folder, which is made private. Throws a ConfigError when that is impossible. */
  static async open(parts: ControlParts): Promise<ControlServer> {
    const {folder, pid} = parts;
    ensurePrivateDirectory(folder);
    const stats = statSync(folder);
    if (!isOurs(stats) || (stats.mode & 0o077) !== 0) throw new ConfigError(`${folder} is not a private folder.`);
    removeStaleFiles(folder);
    removeControlFiles(folder, pid);
    const control = new ControlServer(parts);
    await listenAt(control.#server, folder, controlSocketName(pid));
    chmodSync(join(folder, controlSocketName(pid)), 0o600);
    control.#server.on('error', (error) => parts.log('The control socket failed', error));
    return control;
  }

  /** Includes an account from now on. */
  add({app, onEvents}: ControlledAccount): void {
    if (this.#isClosed || this.#apps.has(app)) return;
    this.#apps.add(app);
    app.onEnd(() => {
      this.#apps.delete(app);
      this.#updateSoon();
    });
    app.onEnd(
      app.session.cache.subscribe(
        ['connection', 'unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers', 'outbox', 'realm'],
        () => this.#updateSoon(),
      ),
    );
    // Another account may be on the screen now.
    app.onEnd(
      app.frames.subscribe(() => {
        if (this.#parts.shown()?.info.accountName !== this.#written[0]?.account) this.#updateSoon();
      }),
    );
    onEvents((events) => this.#announce(app, events));
    this.#updateSoon();
  }

  /** Removes the socket and the file before it returns. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel?.();
    this.#server.close();
    for (const client of this.#clients) client.close();
    removeControlFiles(this.#parts.folder, this.#parts.pid);
  }

  #status(): ProgramStatus {
    const shown = this.#parts.shown();
    const apps = [...this.#apps].sort((one, other) => Number(other === shown) - Number(one === shown));
    return {pid: this.#parts.pid, startedAt: this.#startedAt, accounts: apps.map(accountStatus)};
  }

  #updateSoon(): void {
    if (this.#isClosed || this.#cancel !== undefined) return;
    const {clock} = this.#parts;
    const waitMs = Math.max(0, this.#writtenAt + statusIntervalMs - clock.monotonic());
    this.#cancel = clock.after(waitMs, () => {
      this.#cancel = undefined;
      this.#writtenAt = clock.monotonic();
      this.#update();
    });
  }

  #update(): void {
    const {folder, log} = this.#parts;
    const status = this.#status();
    const before = this.#written;
    if (status.accounts.length === 0 || deepEqual(status.accounts, before)) return;
    this.#written = status.accounts;
    try {
      writeStatusFile(folder, status);
    } catch (error) {
      log('The status file cannot be written', error);
    }
    for (const {account, connection, unread, mentions, direct} of status.accounts) {
      const old = before.find((each) => each.account === account);
      if (old?.connection !== connection) this.#notify('connection', {account, connection});
      if (old?.unread !== unread || old.mentions !== mentions || old.direct !== direct) {
        this.#notify('unread', {account, unread, mentions, direct});
      }
    }
  }

  #announce({state, info, clock}: App, events: readonly ServerEvent[]): void {
    if (![...this.#clients].some((client) => client.events.has('message'))) return;
    for (const event of events) {
      const message = event.type === 'message' ? state.messages.byId.get(event.message.id) : undefined;
      if (message === undefined) continue;
      this.#notify('message', {account: info.accountName, message: describeMessage(state, message, clock.now())});
    }
  }

  #notify(event: string, params: unknown): void {
    for (const client of this.#clients) client.notify(event, params);
  }
}

function accountStatus({state, info}: App): AccountStatus {
  const {count, mentions} = viewUnreads(state, combinedFeedNarrow);
  return {
    account: info.accountName,
    organization: state.realm.name ?? '',
    connection: state.connection.phase,
    unread: count,
    mentions,
    direct: unreadCounts(state).directs,
    unsent: state.outbox.filter(({status}) => status !== 'sent').length,
  };
}
