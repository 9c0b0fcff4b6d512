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

function welcome(server: RunningServer, options: ServeOptions, accounts: readonly Account[]): string {
  const [first] = accounts;
  const lines = [
    `Parley is serving ${options.world === 'demo' ? 'the demo organization' : 'a new organization'} at ${server.url}`,
    options.directory === undefined
      ? 'Nothing is kept: it lives in memory.'
      : `Everything is kept in ${options.directory}`,
    '',
    'Accounts (any client of this API can use these files):',
    ...accounts.slice(0, 8).map(({full_name, zuliprc}) => `  ${full_name.padEnd(22)} ${zuliprc}`),
    ...(accounts.length > 8 ? [`  … and ${accounts.length - 8} more beside them`] : []),
  ];
  if (first !== undefined) {
    lines.push('', 'Try it:', `  curl -su ${first.email}:${first.api_key} ${server.url}/api/v1/users/me`);
  }
  return `${lines.join('\n')}\n\nCtrl-C stops it.\n`;
}
