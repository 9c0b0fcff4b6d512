import {statSync} from 'node:fs';
import {createServer} from 'node:net';
import type {App} from '#app/core/app.ts';
import {listenAt} from '#cli/embedded/client-socket.ts';
import type {CommandRunner} from '#commands/command.ts';
import {ConfigError, ensurePrivateDirectory, isOurs} from '#config/private-files.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {unreadCounts, viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {ServerEvent} from '#wire/events.ts';
import {type ControlClient, controlClient, taskPerTurn} from './control-client.ts';
import {type ControlledProgram, callMethod, keptCommandList} from './control-methods.ts';
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

export type ControlServer = Awaited<ReturnType<typeof openControlServer>>;

/**
 * Opens the control socket and the status file of this process, in the folder, which is made private. Throws a ConfigError when
 * that is impossible.
 */
export async function openControlServer({folder, pid, clock, runner, shown, log}: ControlParts) {
  ensurePrivateDirectory(folder);
  const stats = statSync(folder);
  if (!isOurs(stats) || (stats.mode & 0o077) !== 0) throw new ConfigError(`${folder} is not a private folder.`);
  removeStaleFiles(folder);
  removeControlFiles(folder, pid);
  const clients = new Set<ControlClient>();
  const apps = new Set<App>();
  const startedAt = clock.now();
  let written: readonly AccountStatus[] = [];
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  const status = (): ProgramStatus => {
    const first = shown();
    const sorted = [...apps].sort((one, other) => Number(other === first) - Number(one === first));
    return {pid, startedAt, accounts: sorted.map(accountStatus)};
  };
  const program: ControlledProgram = {
    runner,
    commandList: keptCommandList(runner),
    shown,
    app: (name) => [...apps].find(({info}) => info.accountName === name),
    status,
  };
  const runLater = taskPerTurn();
  const server = createServer((socket) => {
    const client: ControlClient = controlClient(
      socket,
      (method, params) => callMethod(program, client, method, params),
      runLater,
      (error) => log('A request at the control socket failed', error),
    );
    if (clients.size >= maxClients) {
      client.refuse(`Parley has ${maxClients} connections at its control socket already.`);
      return;
    }
    clients.add(client);
    socket.once('close', () => clients.delete(client));
  });
  await listenAt(server, folder, controlSocketName(pid));
  server.on('error', (error) => log('The control socket failed', error));

  const notify = (event: string, params: unknown) => {
    for (const client of clients) client.notify(event, params);
  };
  const update = () => {
    const now = status();
    const before = written;
    if (now.accounts.length === 0 || deepEqual(now.accounts, before)) return;
    written = now.accounts;
    try {
      writeStatusFile(folder, now);
    } catch (error) {
      log('The status file cannot be written', error);
    }
    for (const {account, connection, unread, mentions, direct} of written) {
      const old = before.find((each) => each.account === account);
      if (old?.connection !== connection) notify('connection', {account, connection});
      if (old?.unread !== unread || old.mentions !== mentions || old.direct !== direct) {
        notify('unread', {account, unread, mentions, direct});
      }
    }
  };
  const updateSoon = () => {
    if (isClosed || cancel !== undefined) return;
    cancel = clock.after(Math.max(0, writtenAt + statusIntervalMs - clock.monotonic()), () => {
      cancel = undefined;
      writtenAt = clock.monotonic();
      update();
    });
  };
  const announce = ({state, info}: App, events: readonly ServerEvent[]) => {
    if (![...clients].some((client) => client.wants('message'))) return;
    for (const event of events) {
      const message = event.type === 'message' ? state.messages.byId.get(event.message.id) : undefined;
      if (message === undefined) continue;
      notify('message', {account: info.accountName, message: describeMessage(state, message, clock.now())});
    }
  };
  return {
    /** Includes an account from now on. */
    add: ({app, onEvents}: ControlledAccount) => {
      if (isClosed || apps.has(app)) return;
      apps.add(app);
      app.onEnd(() => {
        apps.delete(app);
        updateSoon();
      });
      app.onEnd(
        app.session.cache.subscribe(
          ['connection', 'unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers', 'outbox', 'realm'],
          updateSoon,
        ),
      );
      // Another account may be on the screen now.
      app.afterPaint(() => {
        if (shown()?.info.accountName !== written[0]?.account) updateSoon();
      });
      onEvents((events) => announce(app, events));
      updateSoon();
    },
    /** Removes the socket and the file before it returns. */
    close: () => {
      if (isClosed) return;
      isClosed = true;
      cancel?.();
      server.close();
      for (const client of clients) client.close();
      removeControlFiles(folder, pid);
    },
  };
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
