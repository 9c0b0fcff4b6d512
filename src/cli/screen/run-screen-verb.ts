import {type AccountFlags, demoName, resolveAccountFlags} from '#cli/account-access/lazy-account.ts';
import {type CliIo, type ExitCode, exitCodes, printNotice, processIo, write} from '#cli/io.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {Interruption, interruptionSignal} from '#cli/verbs/interruption.ts';
import {parseVerbArguments} from '#cli/verbs/parse-verb-arguments.ts';
import type {ScreenVerbName, VerbArguments} from '#cli/verbs/verb-table.ts';
import {isRunningSources, runWholeProgram} from '#std/program-files.ts';
import {canDraw, terminalEnvironment} from '#terminal/environment.ts';

type Flags = VerbArguments<ScreenVerbName>['values'];

/**
 * Runs a verb that opens the client: on a full screen, line by line, or as a printed overview, as the terminal allows.
 */
export async function runScreenVerb(
  verb: ScreenVerbName,
  argv: readonly string[],
  io: CliIo = processIo(),
): Promise<number> {
  try {
    const {values, words} = parseVerbArguments(verb, argv);
    if (values.help) {
      const {verbHelp} = await import('#cli/verbs/verb-help.ts');
      write(io, verbHelp(verb));
      return 0;
    }
    const flags = verb === 'demo' && values.config === undefined ? {...values, account: demoName} : values;
    return await open(verb, flags, words.join(' ').trim() || undefined, io);
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function open(verb: ScreenVerbName, flags: Flags, destination: string | undefined, io: CliIo): Promise<number> {
  const modes = {isTriage: verb === 'triage', isExploring: flags.explore, isReadOnly: flags['read-only']};
  const options = {destination, ...modes};
  if (flags.plain || isScreenReaderMode(io)) {
    if (flags.account !== demoName && resolveAccountFlags(flags, io) === undefined)
      printNotice(io, 'No account is set up: using the demo organization. Add yours with “parley login”.');
    const {openPlain} = await import('#cli/plain/open-plain.ts');
    return openPlain({account: flags.account, config: flags.config, ...options}, io, interruptionSignal());
  }
  if (!canUseScreen(io)) {
    return printOverview(flags, destination, io);
  }
  const account = await chooseAccount(flags, io);
  if (typeof account === 'number') return account;
  // Node cannot run JSX, so the sources are bundled first.
  if (isRunningSources()) return runFromBundle();
  const {openScreen} = await import('./open-screen.tsx');
  const {theme, color} = flags;
  return openScreen({...account, ...options, isAlternate: !flags['no-alt-screen'], theme, color}, io);
}

/** Returns whether the environment asks for plain text, as assistive programs do. */
function isScreenReaderMode({env}: CliIo): boolean {
  return Boolean(env.ACCESSIBLE && env.ACCESSIBLE !== '0') || env.INK_SCREEN_READER === 'true';
}

function canUseScreen({env, inputIsTty, outputIsTty}: CliIo): boolean {
  const isAutomatic = Boolean(env.CI) && env.CI !== '0' && env.CI !== 'false';
  return inputIsTty && outputIsTty && !isAutomatic && canDraw(terminalEnvironment(env, true));
}

/** Returns the requested account, or the one that the user chooses in the welcome menu; an exit code when they quit. */
async function chooseAccount({account, config, 'or-demo': orDemo}: Flags, io: CliIo): Promise<AccountFlags | ExitCode> {
  const flags = {account, config};
  if (account === demoName || resolveAccountFlags(flags, io) !== undefined) return flags;
  if (orDemo) return {account: demoName};
  const {showWelcomeMenu} = await import('./welcome-menu.ts');
  return showWelcomeMenu(io);
}

async function runFromBundle(): Promise<number> {
  const {runBundle} = await import('#build/run-bundle.ts');
  await runBundle();
  return Number(process.exitCode ?? 0);
}

/** Prints unread counts, or the last messages of a conversation, when the output is not a terminal. */
async function printOverview(
  {account, config}: AccountFlags,
  destination: string | undefined,
  io: CliIo,
): Promise<number> {
  const runWhole = runWholeProgram();
  if (runWhole !== undefined) {
    await runWhole();
    return Number(process.exitCode ?? 0);
  }
  const {runVerb} = await import('#cli/verbs/run-verb.ts');
  const flags = [...option('account', account), ...option('config', config)];
  const signal = interruptionSignal();
  try {
    if (destination !== undefined) return await runVerb('read', [...flags, '--', destination], io, signal);
    const code = await runVerb('unread', flags, io, signal);
    if (code === exitCodes.ok) printNotice(io, nextSteps);
    return code;
  } catch (error) {
    if (error instanceof Interruption) return error.exitCode;
    throw error;
  }
}

const nextSteps = [
  '',
  'The full screen needs an interactive terminal. These commands work here:',
  '  parley inbox              list unread conversations with a preview',
  "  parley read '#channel'    print messages; reply with “parley send”",
  '  parley --plain            use everything line by line',
  '  parley --help             list all commands',
].join('\n');

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
