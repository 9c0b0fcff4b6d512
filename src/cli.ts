import {similarNames} from '#state/selectors/similar-names.ts';
import {UsageError} from './cli/usage.ts';
import {isVerbName, verbNames} from './cli/verbs/table.ts';

/** Failures that are the situation's, not the program's: a sentence is enough. */
const plainFailures = new Set(['UsageError', 'ConfigError', 'DatabaseInUse', 'OtherWorld']);

/** argv → one command. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const sentence = plainFailures.has(error.name) ? error.message : listenFailure(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    process.exitCode = error instanceof UsageError ? 2 : error.name === 'ConfigError' ? 3 : 1;
  }
}

async function run(given: readonly string[]): Promise<number> {
  const [command = 'serve', ...rest] = verbFirst(given);
  switch (command) {
    case 'serve': {
      const {serve} = await import('./cli/serve/serve.ts');
      await serve(rest);
      return 0;
    }
    case '--help':
    case '-h':
    case 'help':
      return help(rest);
    case '--version':
    case '-v':
    case '-V': {
      const {version} = await import('./cli/version.ts');
      process.stdout.write(`${version}\n`);
      return 0;
    }
    default:
      return runNamed(command, rest);
  }
}

async function runNamed(name: string, argv: readonly string[]): Promise<number> {
  const [{isTableVerb, runVerb}, {ownRuns}, {processIo}] = await Promise.all([
    import('./cli/verbs/run-verb.ts'),
    import('./cli/verbs/runs.ts'),
    import('./cli/io.ts'),
  ]);
  if (name === 'accounts' || name === 'login' || name === 'doctor') {
    return (await ownRuns[name]())(argv, processIo());
  }
  if (!isTableVerb(name)) throw unknownCommand(name);
  const {endings, Ending} = await import('./cli/verbs/endings.ts');
  const signal = endings();
  try {
    return await runVerb(name, argv, processIo(), signal);
  } catch (error) {
    if (error instanceof Ending) return error.exitCode;
    throw error;
  }
}

async function help([name]: readonly string[]): Promise<number> {
  if (name !== undefined && isVerbName(name)) return run([name, '--help']);
  if (name !== undefined) throw unknownCommand(name);
  const {overview} = await import('./cli/verbs/help.ts');
  process.stdout.write(overview());
  return 0;
}

function unknownCommand(name: string): UsageError {
  const [meant] = similarNames(verbNames, name);
  const hint = meant === undefined ? '“parley --help” lists them.' : `Did you mean “${meant}”?`;
  return new UsageError(`There is no command “${name}”. ${hint}`);
}

const leading = new Map([
  ['--account', 1],
  ['--config', 1],
  ['--color', 1],
  ['--json', 0],
]);

/** `parley --account work unread` means `parley unread --account work`. */
function verbFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (;;) {
    const word = argv[at] ?? '';
    const values = leading.get(word.split('=')[0] ?? '');
    if (values === undefined) break;
    at += word.includes('=') ? 1 : 1 + values;
  }
  const verb = argv[at];
  if (at === 0 || verb === undefined) return argv;
  return [verb, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

function listenFailure(error: Error): string | undefined {
  const {code, address, port} = {code: '', address: '', port: '', ...error};
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is taken. Choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES')
    return `Not allowed to listen on ${address}:${port}. Ports below 1024 need more rights.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${address}.`;
  return undefined;
}
