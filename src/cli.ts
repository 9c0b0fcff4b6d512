import {similarNames} from '#state/selectors/similar-names.ts';
import {UsageError} from './cli/usage.ts';
import {Ending, endings, endWithOutput} from './cli/verbs/endings.ts';
import {isVerbName, verbNames} from './cli/verbs/table.ts';

/** Failures that are the situation's, not the program's: a sentence is enough. */
const plainFailures = new Set(['UsageError', 'ConfigError', 'ServeFailure', 'OtherWorld']);

/** argv → one command. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (!(error instanceof Error && plainFailures.has(error.name))) throw error;
    console.error(error.message);
    // What was begun (a server whose port turned out taken) must not keep the process.
    process.exit(error instanceof UsageError ? 2 : error.name === 'ConfigError' ? 3 : 1);
  }
}

async function run(given: readonly string[]): Promise<number> {
  const [command = 'serve', ...rest] = verbFirst(given);
  switch (command) {
    case 'serve': {
      // Whoever only wanted its first lines does not want its end.
      process.stdout.on('error', () => {});
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
      endWithOutput();
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
    endWithOutput();
    return (await ownRuns[name]())(argv, processIo());
  }
  if (!isTableVerb(name)) throw unknownCommand(name);
  // A message that is sent is sent: to do it again because nobody could be told would send it twice.
  const signal = endings({isDeed: name === 'send'});
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
  endWithOutput();
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
