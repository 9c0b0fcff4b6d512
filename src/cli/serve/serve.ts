import {basename, dirname} from 'node:path';
import {type ClientSocket, openClientSocket} from '#cli/embedded/client-socket.ts';
import {writePrivateFile} from '#config/private-files.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {systemClock} from '#std/clock.ts';
import {type DataDirectory, openDataDirectory, temporaryDataDirectory} from './data-directory.ts';
import {persistPort, reusablePort} from './reusable-port.ts';
import {asServeFailure} from './serve-failure.ts';
import {parseServeOptions, type ServeOptions, serveHelp} from './serve-options.ts';
import {type ServedAccount, writeAccounts} from './write-accounts.ts';

export async function serve(argv: readonly string[]): Promise<void> {
  const options = parseServeOptions(argv, process.env);
  if (options === 'help') {
    process.stdout.write(serveHelp);
    return;
  }
  try {
    await started(options);
  } catch (error) {
    throw asServeFailure(error);
  }
}

async function started(options: ServeOptions): Promise<void> {
  // Whatever this process writes (database, uploads, credentials) is for its owner alone.
  process.umask(0o077);
  const place =
    options.directory === undefined ? temporaryDataDirectory() : openDataDirectory(options.directory);
  try {
    await startedIn(place, options);
  } catch (error) {
    place.dispose();
    throw error;
  }
}

async function startedIn(place: DataDirectory, options: ServeOptions): Promise<void> {
  const server = await startServer({
    host: options.host,
    port: await portFor(options),
    ...(options.publicUrl === undefined ? {} : {publicUrl: options.publicUrl}),
    database: place.database,
    files: place.files,
    secrets: place.secrets,
    level: options.level,
    demo: options.world === 'demo',
    bots: options.bots,
    rateLimited: options.rateLimited,
    testHooks: options.testHooks,
    prepare: (world) => seedWorld(world, options, (line) => console.error(line)),
    log: logLine,
  });
  const accounts = writeAccounts(server.world, place.credentials);
  const ready = {url: server.url, feature_level: options.level, accounts};
  let attendance: ClientSocket | undefined;
  const stop = stopper(server, () => {
    attendance?.close();
    place.dispose();
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  attendance = await clientSocketFor(options, ready, stop).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  if (options.readyFile !== undefined) {
    writePrivateFile(options.readyFile, `${JSON.stringify(ready, null, 2)}\n`);
  }
  process.stdout.write(welcome(server, options, accounts));
}

async function portFor({port, whileUsed, directory, host}: ServeOptions): Promise<number> {
  if (whileUsed === undefined || directory === undefined || port !== 0) return port;
  return reusablePort(directory, host);
}

/** Lets the Parleys of this machine find the server of a directory, and tells them how to sign in. */
async function clientSocketFor(
  {directory, whileUsed}: ServeOptions,
  ready: {readonly url: string},
  onDeserted: () => void,
): Promise<ClientSocket | undefined> {
  if (directory === undefined) return undefined;
  const greeting = JSON.stringify({pid: process.pid, ...ready});
  if (whileUsed === undefined) {
    // Somebody started it by hand: without the socket it serves as well, only the app does not find it.
    return openClientSocket({directory, greeting, clock: systemClock}).catch((error) => {
      logLine('No socket for clients on this machine', error);
      return undefined;
    });
  }
  persistPort(directory, ready.url);
  return openClientSocket({
    directory,
    greeting,
    clock: systemClock,
    graceMs: whileUsed * 1000,
    onUnused: onDeserted,
  });
}

/** Stops the server once, however often it is asked to. */
function stopper(server: RunningServer, dispose: () => void): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    // First, while the database is still ours: the next server of this directory makes its own socket.
    dispose();
    server.close().finally(() => process.exit(0));
  };
}

/** Credentials never reach the log: only the route and the error do. */
function logLine(line: string, error?: unknown): void {
  console.error(new Date().toISOString(), line, error instanceof Error ? error.stack : (error ?? ''));
}

const shownAccounts = 8;

function welcome(server: RunningServer, options: ServeOptions, accounts: readonly ServedAccount[]): string {
  const {name} = organization({world: server.world});
  const [first] = accounts;
  return [
    `Parley is serving ${name} at ${server.url}`,
    options.directory === undefined ? 'Nothing is kept: it lives in memory.' : `Kept in ${options.directory}`,
    ...(first === undefined
      ? []
      : ['', ...accountLines(accounts), '', 'Try it:', `  ${tryIt(server.url, first)}`]),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

/** Files first: their names are ASCII, so the column holds whatever people are called. */
function accountLines(accounts: readonly ServedAccount[]): string[] {
  const shown = accounts
    .slice(0, shownAccounts)
    .map(({zuliprc, ...account}) => ({file: basename(zuliprc), ...account}));
  const width = Math.max(...shown.map(({file}) => file.length));
  const more = accounts.length - shown.length;
  return [
    'Sign in with any of these files, from any client of this API:',
    `  ${dirname(accounts[0]?.zuliprc ?? '')}/`,
    ...shown.map(
      ({file, full_name, role}) => `    ${file.padEnd(width)}  ${full_name}, ${roleNames[role] ?? 'member'}`,
    ),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

const roleNames: Readonly<Record<number, string>> = {
  100: 'owner',
  200: 'administrator',
  300: 'moderator',
  400: 'member',
  600: 'guest',
};

function tryIt(url: string, {email, api_key}: ServedAccount): string {
  return `curl -su ${email}:${api_key} ${url}/api/v1/users/me`;
}
