import {UsageError} from '#cli/usage-error.ts';
import {exitWhenOutputCloses, Interruption, interruptionSignal} from '#cli/verbs/interruption.ts';
import {isScreenVerb, isVerbName, type ScreenVerbName, verbNames} from '#cli/verbs/verb-table.ts';
import {similarNames} from '#state/selectors/names/similar-names.ts';

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
    process.exit(error.name === 'UsageError' ? 2 : error.name === 'ConfigError' ? 3 : 1);
  }
}

async function run(given: readonly string[]): Promise<number> {
  const [command = 'open', ...rest] = verbFirst(given);
  if (isScreenVerb(command)) return runScreen(command, rest);
  switch (command) {
    case 'serve': {
      // Whoever only wanted its first lines does not want its end.
      process.stdout.on('error', () => {});
      const {serve} = await import('#cli/serve/serve.ts');
      await serve(rest);
      return 0;
    }
    case '--help':
    case '-h':
      return runNamed('help', rest);
    case 'help':
      return help(rest);
    case '--version':
    case '-v':
    case '-V': {
      const {version} = await import('#cli/version.ts');
      exitWhenOutputCloses();
      process.stdout.write(`${version}\n`);
      return 0;
    }
    default:
      return isVerbName(command) ? runNamed(command, rest) : runScreen('open', placed(command, given));
  }
}

async function runScreen(verb: ScreenVerbName, argv: readonly string[]): Promise<number> {
  const {runScreenVerb: open} = await import('#cli/screen/run-screen-verb.ts');
  return open(verb, argv);
}

/**
 * What is no command is a place to open, unless it looks like a command with a slip in it. Scripts have no screen, and mean
 * a command.
 */
function placed(word: string, argv: readonly string[]): readonly string[] {
  if (!/^[a-z-]+$/.test(word)) return argv;
  if (process.stdout.isTTY !== true) throw unknownCommand(word);
  const [meant] = similarNames(verbNames, word);
  if (meant === undefined) return argv;
  throw new UsageError(
    `There is no command “${word}”. Did you mean “${meant}”? “parley open ${word}” looks for the word.`,
  );
}

async function runNamed(name: string, argv: readonly string[]): Promise<number> {
  const [{isTableVerb, runVerb}, {selfParsingRunners: ownRuns}, {processIo}] = await Promise.all([
    import('#cli/verbs/run-verb.ts'),
    import('#cli/verbs/verb-runners.ts'),
    import('#cli/io.ts'),
  ]);
  if (name === 'accounts' || name === 'login' || name === 'doctor') {
    exitWhenOutputCloses();
    return (await ownRuns[name]())(argv, processIo());
  }
  if (!isTableVerb(name)) throw unknownCommand(name);
  // A message that is sent is sent: to do it again because nobody could be told would send it twice.
  const signal = interruptionSignal({isDeed: name === 'send'});
  try {
    return await runVerb(name, argv, processIo(), signal);
  } catch (error) {
    if (error instanceof Interruption) return error.exitCode;
    throw error;
  }
}

/** Shows the options of a verb if the word is one, else a chapter of the manual. */
function help(words: readonly string[]): Promise<number> {
  const [name] = words;
  const isOption = name === undefined || name.startsWith('-');
  return !isOption && isVerbName(name) && name !== 'help' ? run([name, '--help']) : runNamed('help', words);
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
  ['--theme', 1],
  ['--json', 0],
  ['--explore', 0],
  ['--read-only', 0],
  ['--plain', 0],
  ['--no-alt-screen', 0],
  ['--or-demo', 0],
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
  if (verb === undefined) return at === 0 ? [] : ['open', ...argv];
  if (at === 0) return argv;
  return [verb, ...argv.slice(0, at), ...argv.slice(at + 1)];
}
