import {statSync} from 'node:fs';
import {createServer, type Server} from 'node:net';
import type {App} from '#app/core/app.ts';
import {listenAt} from '#cli/embedded/client-socket.ts';
import type {CommandRunner} from '#commands/command.ts';
import {ConfigError, ensurePrivateDirectory, isOurs} from '#config/private-files.ts';
import type {ServerEvent} from '#wire/events.ts';
import {type ControlClient, controlClient, taskPerTurn} from './control-client.ts';
import {type ControlledProgram, callMethod, keptCommandList} from './control-methods.ts';
import {describeMessage} from './describe-screen.ts';
import {type StatusParts, StatusPublisher} from './status-publisher.ts';
import {controlSocketName, removeControlFiles, removeStaleFiles} from './status-text.ts';

/** An open account, as far as it is needed here. */
export interface ControlledAccount {
  readonly app: App;
  /** Calls the listener with each batch of events, after it was applied. */
  onEvents(listener: (events: readonly ServerEvent[]) => void): void;
}

interface ControlParts extends StatusParts {
  readonly runner: CommandRunner;
}

const maxClients = 16;

/**
 * Opens the control socket and the status file of this process, in the folder, which is made private. Throws a ConfigError when
 * that is impossible.
 */
export async function openControlServer(parts: ControlParts): Promise<ControlServer> {
  const {folder, pid} = parts;
  ensurePrivateDirectory(folder);
  const stats = statSync(folder);
  if (!isOurs(stats) || (stats.mode & 0o077) !== 0) throw new ConfigError(`${folder} is not a private folder.`);
  removeStaleFiles(folder);
  removeControlFiles(folder, pid);
  const control = new ControlServer(parts);
  await control.listen();
  return control;
}

/** The control socket: other programs read the open accounts there, run commands and are told what happens. */
export class ControlServer {
  readonly #parts: ControlParts;
  readonly #clients = new Set<ControlClient>();
  readonly #server: Server;
  readonly #status: StatusPublisher;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    const {runner, shown, log} = parts;
    const status = new StatusPublisher(parts, (event, params) => this.#notify(event, params));
    this.#status = status;
    const program: ControlledProgram = {
      runner,
      commandList: keptCommandList(runner),
      shown,
      app: (name) => status.app(name),
      status: () => status.status(),
    };
    const runLater = taskPerTurn();
    this.#server = createServer((socket) => {
      const client: ControlClient = controlClient(
        socket,
        (method, params) => callMethod(program, client, method, params),
        runLater,
        (error) => log('A request at the control socket failed', error),
      );
      if (this.#clients.size >= maxClients) {
        client.refuse(`Parley has ${maxClients} connections at its control socket already.`);
        return;
      }
      this.#clients.add(client);
      socket.once('close', () => this.#clients.delete(client));
    });
    this.#server.on('error', (error) => log('The control socket failed', error));
  }

  async listen(): Promise<void> {
    const {folder, pid} = this.#parts;
    await listenAt(this.#server, folder, controlSocketName(pid));
  }

  /** Includes an account from now on. */
  add(account: ControlledAccount): void {
    const {app} = account;
    if (this.#status.add(app)) account.onEvents((events) => this.#announce(app, events));
  }

  /** Removes the socket and the file before it returns. */
  close(): void {
    this.#status.stop();
    this.#server.close();
    for (const client of this.#clients) client.close();
    removeControlFiles(this.#parts.folder, this.#parts.pid);
  }

  #notify(event: string, params: unknown): void {
    for (const client of this.#clients) client.notify(event, params);
  }

  #announce({state, info}: App, events: readonly ServerEvent[]): void {
    if (![...this.#clients].some((client) => client.wants('message'))) return;
    const now = this.#parts.clock.now();
    for (const event of events) {
      const message = event.type === 'message' ? state.messages.byId.get(event.message.id) : undefined;
      if (message === undefined) continue;
      this.#notify('message', {account: info.accountName, message: describeMessage(state, message, now)});
    }
  }
}
