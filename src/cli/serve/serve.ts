import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, rmSync} from 'node:fs';
import {hostname} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {type ClientSocket, openClientSocket} from '#cli/embedded/client-socket.ts';
import {Cancelled, type CliIo, printNotice, processIo} from '#cli/io.ts';
import {roleName} from '#cli/verbs/role-name.ts';
import {verbLines} from '#cli/verbs/verb-help.ts';
import {verbsBelow} from '#cli/verbs/verb-table.ts';
import {version} from '#cli/version.ts';
import {replacePrivateFile} from '#config/private-files.ts';
import {passwordLink} from '#server/accounts/password.ts';
import {reactivateOrganization} from '#server/actions/organization/update-organization.ts';
import {guardedClock} from '#server/background-task.ts';
import type {ExportWriter, ServerContext, SshService} from '#server/context.ts';
import {DatabaseInUse, isDiskFull} from '#server/db/database.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {checkCertificate} from '#server/http/listener.ts';
import {newCopyFolder, removeLeftCopies} from '#server/operator/operator-commands.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {type Founding, seedWorld} from '#server/seed/seed-world.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {NoSpaceToConvert} from '#std/keep-database-copy.ts';
import {printable} from '#std/printable.ts';
import {programCommand} from '#std/program-files.ts';
import {
  type DataDirectory,
  holdsOrganization,
  lostWithSecret,
  openDataDirectory,
  persistPort,
  persistUrl,
  removeNewOrganization,
  reusablePort,
  type ServedAccount,
  savedPort,
  secretProblem,
  temporaryDataDirectory,
  writeAccounts,
} from './data-directory.ts';
import {failureSentence} from './data-failure.ts';
import {answerOperator, operatorProtocol} from './operator-socket.ts';
import {
  askForOrganization,
  givenFoundingFlags,
  organizationInMemory,
  parseServeOptions,
  type ServeOptions,
  serveHelp,
} from './serve-options.ts';
import {handleServeSignals} from './serve-signals.ts';
import {logWriter, type ServerLog, serverLog} from './server-log.ts';
import {outliveFailures} from './unexpected-failures.ts';

export async function serve(argv: readonly string[]): Promise<void> {
  const options = parseServeOptions(argv, process.env);
  if (options === 'help') {
    process.stdout.write(`${[serveHelp, ...verbLines(verbsBelow('serve'))].join('\n')}\n`);
    return;
  }
  try {
    await start(options);
  } catch (error) {
    throw asServeFailure(error, options);
  }
}

async function start(options: ServeOptions): Promise<void> {
  // Files of this process (database, uploads, credentials) are private to their owner.
  process.umask(0o077);
  const path = options.directory;
  const wasThere = path !== undefined && existsSync(path);
  // The demo's own directory is not checked: several clients may start its server at once.
  const isNew = path !== undefined && options.whileUsed === undefined && !holdsOrganization(path);
  // Before anything is created.
  if (options.certificate !== undefined) checkCertificate(options.certificate);
  const io = processIo();
  let founding: Founding | undefined;
  if (path === undefined) founding = await organizationInMemory(io, options);
  else if (isNew) founding = await askForOrganization(io, path, options);
  else printIgnored(io, path, options);
  const port = await portFor(options);
  const directory = path === undefined ? temporaryDataDirectory() : openDataDirectory(path, options);
  try {
    await startIn(directory, port, options, founding);
  } catch (error) {
    directory.dispose();
    if (isNew) removeNewOrganization(path, wasThere);
    throw error;
  }
}

/** Says which options have no effect on the organization in the directory, and what a new secret ends. */
function printIgnored(io: CliIo, directory: string, options: ServeOptions): void {
  const flags = givenFoundingFlags(options);
  if (flags.length > 0) {
    printNotice(io, `There is an organization in ${directory} already. Ignored: ${flags.join(', ')}.`);
  }
  if (!options.newSecret) return;
  printNotice(
    io,
    secretProblem(directory) === undefined
      ? 'The secret of the organization is there. Ignored: --new-secret.'
      : `A new secret is made: ${lostWithSecret} no longer work. People log in again with their passwords; “parley serve user key EMAIL” gives bots new keys.`,
  );
}

async function startIn(
  directory: DataDirectory,
  port: number,
  options: ServeOptions,
  founding: Founding | undefined,
): Promise<void> {
  const clock = guardedClock(systemClock, (line, error) => log.line(line, error));
  const log = serverLog(options.logFormat, clock, logWriter(options.logFile, process.stderr));
  const exports = options.directory === undefined ? undefined : exportChildren(options.directory, clock, log.line);
  const {database, files, secrets} = directory;
  const {publicUrl, ...serverOptions} = options;
  const server = await startServer({
    ...serverOptions,
    ...(publicUrl !== undefined && {publicUrl}),
    port,
    database,
    files,
    secrets,
    demo: options.world !== 'empty',
    version: version(),
    names: [hostname(), `${hostname()}.local`],
    prepare: async (world) => {
      const choice = founding === undefined ? options : {...options, world: 'empty' as const, founding};
      await seedWorld(world, choice, log.line);
      if (options.reactivates) reactivateOrganization(world);
    },
    log: log.line,
    onEvent: log.event,
    writeExport: exports?.write,
  });
  try {
    await announce(server, directory, options, founding, {log, clock, exports});
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Writes the files by which clients find the server, and prints how to log in. */
async function announce(
  server: RunningServer,
  directory: DataDirectory,
  options: ServeOptions,
  founding: Founding | undefined,
  {log, clock, exports}: {log: ServerLog; clock: Clock; exports: ReturnType<typeof exportChildren> | undefined},
): Promise<void> {
  const accounts = writeAccounts(server.context, directory.credentials);
  const ready = {url: server.url, feature_level: options.level, accounts};
  if (options.directory !== undefined) {
    persistUrl(options.directory, server.url);
    persistPort(options.directory, server.port);
  }
  let clientSocket: ClientSocket | undefined;
  let ssh: SshService | undefined;
  const stop = stopper(server, log, () => {
    ssh?.stop();
    exports?.stop();
    clientSocket?.close();
    directory.dispose();
  });
  const reload = () => {
    log.line('SIGHUP: the log and the certificate are opened again.');
    server.reloadCertificate();
  };
  handleServeSignals({stop, reload});
  log.event({event: 'start', request: server.url, version: version()});
  outliveFailures(server.context.db, log);
  if (options.ssh !== undefined && options.directory !== undefined) {
    const {startSsh} = await import('#cli/ssh/ssh-service.ts');
    ssh = await startSsh({server, directory: options.directory, ...options.ssh, clock, log});
  }
  clientSocket = await clientSocketFor(options, server, ready, log, clock, stop);
  if (options.readyFile !== undefined) {
    replacePrivateFile(options.readyFile, `${JSON.stringify(ready, null, 2)}\n`);
  }
  process.stdout.write(printable(welcomeText(server, options, accounts, founding, ssh)));
}

async function portFor({port, whileUsed, directory, host}: ServeOptions): Promise<number> {
  if (port !== undefined || directory === undefined) return port ?? 0;
  // The demo's clients find it by its socket, so it may move. Logins of other servers name the address.
  return whileUsed === undefined ? savedPort(directory) : reusablePort(directory, host);
}

/** Opens the socket that lets clients on this machine find the server, and tells them how to log in. */
async function clientSocketFor(
  {directory, whileUsed}: ServeOptions,
  server: RunningServer,
  ready: {readonly url: string},
  log: ServerLog,
  clock: Clock,
  onUnused: () => void,
): Promise<ClientSocket | undefined> {
  if (directory === undefined) return undefined;
  removeLeftCopies(directory);
  const greeting = JSON.stringify({pid: process.pid, ...ready, operator: operatorProtocol});
  const answer = answerOperator(server.context, directory, log);
  const socket = {directory, greeting, clock, answer};
  if (whileUsed !== undefined) {
    return openClientSocket({...socket, graceMs: whileUsed * 1000, onUnused});
  }
  // Started by hand: it also works without the socket, only Parley does not find it.
  return openClientSocket(socket).catch((error) => {
    log.line('No socket for clients on this machine', error);
    return undefined;
  });
}

/** Returns a function that stops the server, once, and logs which signal did. */
function stopper(server: RunningServer, log: ServerLog, dispose: () => void): (signal?: string) => void {
  let stopping = false;
  const close = async () => {
    // First, while this process still has the database: the next server of this directory creates its own socket.
    dispose();
    await server.close();
  };
  const fail = (error: unknown) => {
    log.line('The server did not stop as it should', error);
    process.exit(1);
  };
  return (signal) => {
    if (stopping) return;
    stopping = true;
    log.event({event: 'end', request: server.url, signal});
    close().then(() => process.exit(0), fail);
  };
}

const maxListedAccounts = 8;

export function welcomeText(
  server: RunningServer,
  options: ServeOptions,
  accounts: readonly ServedAccount[],
  founding?: Founding,
  ssh?: Pick<SshService, 'port' | 'fingerprint'>,
): string {
  const {name} = organization({server: server.context});
  const [first] = accounts;
  return [
    `Parley is serving ${name} at ${server.url}`,
    options.directory === undefined
      ? 'Data is in memory and is lost when the server stops.'
      : `Data directory: ${options.directory}`,
    ...(ssh === undefined ? [] : [`SSH on port ${ssh.port}, with the host key ${ssh.fingerprint}`]),
    ...(first === undefined
      ? []
      : ['', ...accountLines(accounts), '', 'Try it:', `  parley --config ${first.zuliprc}`]),
    ...(founding === undefined ? [] : ['', ...ownerLines(server.context, founding)]),
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

/** Says how the owner of a new organization logs in elsewhere; the link is printed once, at the first start. */
function ownerLines(context: ServerContext, {ownerEmail, password}: Founding): string[] {
  const login = [`From another machine: parley login ${context.url}`, `as ${ownerEmail}`].join(', ');
  const owner = findUserByEmail(context.db, ownerEmail);
  if (password !== undefined || owner === undefined) return [login];
  const {url, expiresAt} = passwordLink(context, owner);
  return [login, `First set a password, once, until ${new Date(expiresAt * 1000).toISOString()}:`, `  ${url}`];
}

/**
 * Lists the accounts. File names come first: they are ASCII, so the column stays aligned whatever the users' names are.
 */
function accountLines(accounts: readonly ServedAccount[]): string[] {
  const listed = accounts
    .slice(0, maxListedAccounts)
    .map(({zuliprc, ...account}) => ({file: basename(zuliprc), ...account}));
  const width = Math.max(...listed.map(({file}) => file.length));
  const more = accounts.length - listed.length;
  return [
    'Log in with one of these files, from any Zulip client:',
    `  ${dirname(accounts[0]?.zuliprc ?? '')}/`,
    ...listed.map(({file, full_name, role}) => `    ${file.padEnd(width)}  ${full_name}, ${roleName(role)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** The server cannot start for a reason that is not a bug. Its message is one sentence. */
class ServeFailure extends Error {
  override readonly name = 'ServeFailure';
}

/** Turns a known error of starting a server into a ServeFailure, and returns other errors as they are. */
function asServeFailure(error: unknown, options: ServeOptions): unknown {
  if (!(error instanceof Error) || error.name === 'UsageError') return error;
  if (error instanceof DatabaseInUse) {
    return new ServeFailure(
      `${error.message} Stop it, or choose another directory with --data. A server that a command started stops by itself.`,
    );
  }
  if (error instanceof Cancelled) return new ServeFailure(error.message);
  const details = {code: '', syscall: '', address: '', port: '', hostname: '', ...error};
  const message = details.syscall === 'listen' ? listenErrorText(details, options) : undefined;
  if (message !== undefined) return new ServeFailure(message);
  if (details.code === 'ENOTFOUND') return new ServeFailure(`There is no address for ${details.hostname}.`);
  if (isDiskFull(error) && !(error instanceof NoSpaceToConvert)) {
    return new ServeFailure(`The disk of ${options.directory} is full. Free some space, and start the server again.`);
  }
  if (details.code.startsWith('ERR_OSSL')) {
    return new ServeFailure(`The certificate and its key cannot be used: ${error.message}.`);
  }
  const sentence = failureSentence(error);
  return sentence === undefined ? error : new ServeFailure(sentence);
}

function listenErrorText(
  {code, address, port}: {code: string; address: string; port: string},
  {port: chosen, metrics}: ServeOptions,
) {
  if (code === 'EADDRINUSE' && metrics !== undefined && String(metrics.port) === String(port)) {
    return `Port ${port} of --metrics is already in use. Choose another.`;
  }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is already in use. ${
        chosen === undefined ? 'This organization was reached there before, and logins name it. ' : ''
      }Choose another with --port, or 0 for a free one.`;
    case 'EACCES':
      return `Not allowed to listen on ${address}:${port}. Ports below 1024 need administrator rights.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}.`;
    default:
      return undefined;
  }
}

const scopeFlags = {public: '--public-only', consented: '--consented'} as const;

/** Writes exports of a served data directory in other processes, so that requests do not wait for them. */
export function exportChildren(
  directory: string,
  clock: Clock,
  log: (line: string, error?: unknown) => void,
): {readonly write: ExportWriter; stop(): void} {
  const children = new Set<ChildProcess>();
  return {
    async write(scope) {
      const folder = newCopyFolder(directory);
      const output = join(folder, `zulip-export-${new Date(clock.now()).toISOString().slice(0, 10)}`);
      const {file, args} = programCommand();
      const flags = ['serve', 'export', '--data', directory, scopeFlags[scope], output];
      const child = spawn(file, [...args, ...flags], {stdio: ['ignore', 'ignore', 'pipe']});
      children.add(child);
      try {
        const [[code], problem] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
        if (code !== 0) throw new Error(problem);
        return {archive: `${output}.tar.gz`, remove: () => rmSync(folder, {recursive: true, force: true})};
      } catch (error) {
        log('A data export failed', error);
        rmSync(folder, {recursive: true, force: true});
        throw error;
      } finally {
        children.delete(child);
      }
    },
    stop() {
      for (const child of children) child.kill();
    },
  };
}
