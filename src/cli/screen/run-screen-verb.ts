import {demoName, resolveAccountFlags} from '#cli/account-access/open-account.ts';
import type {ExitCode} from '#cli/exit-codes.ts';
import {reportFailure} from '#cli/failures.ts';
import {type CliIo, printNotice, processIo} from '#cli/io.ts';
import {interruptionSignal} from '#cli/verbs/interruption.ts';
import {parseVerbArguments} from '#cli/verbs/parse-verb-arguments.ts';
import type {ScreenVerbName, VerbArguments} from '#cli/verbs/verb-table.ts';
import {canDraw, terminalEnvironment} from '#terminal/environment.ts';

type Flags = VerbArguments<ScreenVerbName>['values'];

/** What the command line asks for, and the way that suits where it is asked. */
export async function runScreenVerb(verb: ScreenVerbName, argv: readonly string[]): Promise<number> {
  const io = processIo();
  try {
    const {values, words} = parseVerbArguments(verb, argv);
    if (values.help) {
      const {verbHelp} = await import('#cli/verbs/verb-help.ts');
      io.stdout.write(verbHelp(verb));
      return 0;
    }
    const flags = verb === 'demo' && values.config === undefined ? {...values, account: demoName} : values;
    return await opened(verb, flags, words.join(' ').trim() || undefined, io);
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function opened(
  verb: ScreenVerbName,
  flags: Flags,
  place: string | undefined,
  io: CliIo,
): Promise<number> {
  if (flags.plain || isForReaders(io)) {
    if (flags.account !== demoName && resolveAccountFlags(flags, io) === undefined)
      printNotice(io, 'No account is set up, so this is the demo organization. “parley login” adds yours.');
    const {openPlain} = await import('#cli/plain/open-plain.ts');
    return openPlain(
      {
        account: flags.account,
        config: flags.config,
        destination: place,
        isTriage: verb === 'triage',
        isExploring: flags.explore,
        isReadOnly: flags['read-only'],
      },
      io,
      interruptionSignal(),
    );
  }
  if (!isForScreen(io)) {
    const {printOverview: overview} = await import('./print-overview.ts');
    return overview(flags, place, io);
  }
  const account = await chosenAccount(flags, io);
  if (typeof account === 'number') return account;
  // Node cannot read JSX, so from the sources a bundle is made of them first.
  if (import.meta.url.endsWith('.ts')) return runFromBundle();
  const {openScreen} = await import('./open-screen.ts');
  return openScreen(
    {
      ...account,
      destination: place,
      isTriage: verb === 'triage',
      isExploring: flags.explore,
      isReadOnly: flags['read-only'],
      isAlternate: !flags['no-alt-screen'],
      theme: flags.theme,
      color: flags.color,
    },
    io,
  );
}

/** As assistive programs ask for it. */
function isForReaders({env}: CliIo): boolean {
  return Boolean(env.ACCESSIBLE && env.ACCESSIBLE !== '0') || env.INK_SCREEN_READER === 'true';
}

function isForScreen({env, inputIsTty, outputIsTty}: CliIo): boolean {
  const isAutomatic = Boolean(env.CI) && env.CI !== '0' && env.CI !== 'false';
  return inputIsTty && outputIsTty && !isAutomatic && canDraw(terminalEnvironment(env, true));
}

/** The account that was asked for; without any, somebody chooses. A number when they would rather not. */
async function chosenAccount(
  {account, config, 'or-demo': orDemo}: Flags,
  io: CliIo,
): Promise<{readonly account?: string | undefined; readonly config?: string | undefined} | ExitCode> {
  const flags = {account, config};
  if (account === demoName || resolveAccountFlags(flags, io) !== undefined) return flags;
  if (orDemo) return {account: demoName};
  const {showWelcomeMenu: welcome} = await import('./welcome-menu.ts');
  return welcome(io);
}

async function runFromBundle(): Promise<number> {
  const {runBundle} = await import('#build/run-bundle.ts');
  await runBundle();
  return Number(process.exitCode ?? 0);
}
