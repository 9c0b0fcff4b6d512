import {basename, dirname} from 'node:path';
import {organization} from '#server/permissions/holds.ts';
import {plantWorld} from '#server/seed/plant.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {type Account, writeAccounts, writePrivately} from './accounts.ts';
import {openDirectory, temporaryDirectory} from './data-directory.ts';
import {type ServeOptions, serveHelp, serveOptions} from './serve-options.ts';

export async function serve(argv: readonly string[]): Promise<void> {
  const options = serveOptions(argv, process.env);
  if (options === 'help') {
    process.stdout.write(serveHelp);
    return;
  }
  // Whatever this process writes (database, uploads, credentials) is for its owner alone.
  process.umask(0o077);
  const place = options.directory === undefined ? temporaryDirectory() : openDirectory(options.directory);
  const server = await startServer({
    host: options.host,
    port: options.port,
    ...(options.publicUrl === undefined ? {} : {publicUrl: options.publicUrl}),
    database: place.database,
    files: place.files,
    secrets: place.secrets,
    level: options.level,
    demo: options.world === 'demo',
    bots: options.bots,
    rateLimited: options.rateLimited,
    testHooks: options.testHooks,
    prepare: (world) => plantWorld(world, options, (line) => console.error(line)),
    log: logLine,
  });
  stopOnSignal(server, place.dispose);
  const accounts = writeAccounts(server.world, place.credentials);
  if (options.readyFile !== undefined) {
    writePrivately(
      options.readyFile,
      `${JSON.stringify({url: server.url, feature_level: options.level, accounts}, null, 2)}\n`,
    );
  }
  process.stdout.write(welcome(server, options, accounts));
}

function stopOnSignal(server: RunningServer, dispose: () => void): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    server.close().finally(() => {
      dispose();
      process.exit(0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

/** Credentials never reach the log: only the route and the error do. */
function logLine(line: string, error?: unknown): void {
  console.error(new Date().toISOString(), line, error instanceof Error ? error.stack : (error ?? ''));
}

const shownAccounts = 8;

function welcome(server: RunningServer, options: ServeOptions, accounts: readonly Account[]): string {
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
function accountLines(accounts: readonly Account[]): string[] {
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

function tryIt(url: string, {email, api_key}: Account): string {
  return `curl -su ${email}:${api_key} ${url}/api/v1/users/me`;
}
