import {type CliIo, UsageError} from '#cli/io.ts';
import {refusedOverSsh} from '#cli/restriction.ts';
import {exitWhenOutputCloses, Interruption, interruptionSignal} from '#cli/verbs/interruption.ts';
import {commonOptions, type OptionTable} from '#cli/verbs/verb.ts';
import {
  firstWords,
  isScreenVerb,
  isVerbGroup,
  isVerbName,
  type ScreenVerbName,
  secondWords,
  verbOf,
} from '#cli/verbs/verb-table.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import {printable} from '#std/printable.ts';
import {saveCompiledCode} from '#std/program-files.ts';
import {orList, similarNames} from '#std/similar-names.ts';

/** The names of errors whose message is enough for the user: their cause is the input or the machine, not a bug. */
const plainFailures = new Set(['UsageError', 'ConfigError', 'ServeFailure', 'OtherWorld']);

/** Runs the command that the arguments name, sets the exit code, and prints expected failures as one sentence. */
export async function main(argv: readonly string[]): Promise<void> {
  // Without a listener Node opens a debugger port, which lets any local user read and change everything here.
  process.on('SIGUSR1', () => {});
  // It would end the process; Node's reports and heap snapshots on a signal have listeners of their own.
  process.on('SIGUSR2', () => {});
  hideSqliteWarning();
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (!(error instanceof Error && plainFailures.has(error.name))) throw error;
    console.error(printable(error.message));
    // Exits explicitly, because resources that were opened before the failure would keep the process alive.
    process.exit(error.name === 'UsageError' ? 2 : error.name === 'ConfigError' ? 3 : 1);
  }
}

/** Keeps Node 22 from printing, when SQLite is first used, that it is experimental. Other warnings are printed. */
export function hideSqliteWarning(): void {
  const {emitWarning} = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const isHidden = typeof warning === 'string' && warning.startsWith('SQLite is an experimental feature');
    if (!isHidden) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}

/** Runs a command line on the streams of this process, or those of `io`. */
async function run(argv: readonly string[], io?: CliIo): Promise<number> {
  const [command = 'open', ...rest] = verbFirst(argv);
  if (io?.restriction !== undefined && isVerbName(command) && verbOf(command).needsMachine === true) {
    throw new UsageError(refusedOverSsh.machine);
  }
  if (isScreenVerb(command)) return runScreen(command, rest, io);
  switch (command) {
    case 'ssh-session': {
      if (io !== undefined) throw unknownCommand(command);
      const {runSshSession} = await import('#cli/ssh/session.ts');
      return runSshSession(run);
    }
    case 'serve': {
      // `parley serve | head -1` closes the output; the server keeps running.
      process.stdout.on('error', () => {});
      const {serve} = await import('#cli/serve/serve.ts');
      await serve(rest);
      return 0;
    }
    case '--help':
    case '-h':
      return runNamed('help', rest, io);
    case 'help':
      return help(rest, io);
    case '--version':
    case '-v':
    case '-V': {
      const {versionLine} = await import('#cli/version.ts');
      exitWhenOutputCloses();
      process.stdout.write(`${versionLine()}\n`);
      return 0;
    }
    default:
      if (isVerbName(command)) return runNamed(command, rest, io);
      if (isVerbGroup(command)) return runGroup(command, rest);
      return runScreen('open', destinationArguments(command, argv), io);
  }
}

async function runScreen(verb: ScreenVerbName, argv: readonly string[], io?: CliIo): Promise<number> {
  const {runScreenVerb} = await import('#cli/screen/run-screen-verb.ts');
  return runScreenVerb(verb, argv, io);
}

/**
 * Returns the arguments of `parley open` for a first word that is no verb. Throws when the word is probably a
 * misspelt verb, and in scripts, which have no screen to open.
 */
function destinationArguments(word: string, argv: readonly string[]): readonly string[] {
  if (!/^[a-z-]+$/.test(word)) return argv;
  if (process.stdout.isTTY !== true) throw unknownCommand(word);
  const [similar] = similarNames(firstWords(), word);
  if (similar === undefined) return argv;
  throw new UsageError(
    `There is no command “${word}”. Did you mean “${similar}”? To open a conversation: “parley open ${word}”.`,
  );
}

/** Prints the verbs that begin with this word. Throws when that is not what was asked for. */
async function runGroup(word: string, rest: readonly string[]): Promise<number> {
  const [given] = rest.filter((each) => !each.startsWith('-'));
  if (given !== undefined || !rest.some((each) => each === '--help' || each === '-h')) {
    const instead = given === undefined ? '' : `, not “${given}”`;
    throw new UsageError(`Use “parley ${word}” with ${orList(secondWords(word))}${instead}.`);
  }
  const {verbGroupHelp} = await import('#cli/verbs/verb-help.ts');
  exitWhenOutputCloses();
  process.stdout.write(verbGroupHelp(word));
  return 0;
}

async function runNamed(name: string, argv: readonly string[], io?: CliIo): Promise<number> {
  const [{isTableVerb, runVerb}, {loadVerb}, {processIo}] = await Promise.all([
    import('#cli/verbs/run-verb.ts'),
    import('#cli/verbs/load-verb.ts'),
    import('#cli/io.ts'),
  ]);
  if (name === 'accounts' || name === 'login' || name === 'doctor') {
    exitWhenOutputCloses();
    return (await loadVerb(name))(argv, io ?? processIo());
  }
  if (!isTableVerb(name)) throw unknownCommand(name);
  // A closed output must not stop “send”: the caller would repeat it and send the message twice.
  const signal = interruptionSignal({mustNotRepeat: verbOf(name).mustNotRepeat === true});
  try {
    const exitCode = await runVerb(name, argv, io ?? processIo(), signal);
    saveCompiledCode();
    return exitCode;
  } catch (error) {
    if (error instanceof Interruption) return error.exitCode;
    throw error;
  }
}

/** Shows a chapter of the manual if the word names one, else the options of the verb with this name. */
function help(words: readonly string[], io?: CliIo): Promise<number> {
  const name = words.length === 0 ? 'help' : words.join(' ');
  const isChapter = manualTopics.some(({id}) => id === name);
  const isVerb = (isVerbName(name) || isVerbGroup(name)) && name !== 'help';
  return isVerb && !isChapter ? run([...words, '--help'], io) : runNamed('help', words, io);
}

function unknownCommand(name: string): UsageError {
  const [similar] = similarNames(firstWords(), name);
  const hint = similar === undefined ? '“parley --help” lists them.' : `Did you mean “${similar}”?`;
  return new UsageError(`There is no command “${name}”. ${hint}`);
}

/** Returns whether an option that may come before the verb takes a value; undefined for other words. */
function leadingOptionTakesValue(word: string): boolean | undefined {
  const {help: _help, ...options}: OptionTable = {...verbOf('open').options, json: commonOptions.json};
  const name = word.startsWith('--') ? word.slice(2) : '';
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  return option === undefined ? undefined : option.type !== 'flag';
}

/**
 * Moves the verb before its options: `parley --account work unread` means `parley unread --account work`. The two words
 * of a verb such as `channel list` become one.
 */
function verbFirst(argv: readonly string[]): readonly string[] {
  const at = afterOptions(argv, 0);
  const first = argv[at];
  if (first === undefined) return at === 0 ? [] : ['open', ...argv];
  const next = afterOptions(argv, at + 1);
  const both = `${first} ${argv[next] ?? ''}`;
  if (isVerbName(both)) return [both, ...argv.toSpliced(next, 1).toSpliced(at, 1)];
  return at === 0 ? argv : [first, ...argv.toSpliced(at, 1)];
}

/** Returns the position after the leading options that begin at this one. */
function afterOptions(argv: readonly string[], from: number): number {
  let at = from;
  for (;;) {
    const word = argv[at] ?? '';
    const takesValue = leadingOptionTakesValue(word.split('=')[0] ?? '');
    if (takesValue === undefined) return at;
    at += takesValue && !word.includes('=') ? 2 : 1;
  }
}
