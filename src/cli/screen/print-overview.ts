import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {Interruption, interruptionSignal} from '#cli/verbs/interruption.ts';
import {runVerb} from '#cli/verbs/run-verb.ts';

/** Prints unread counts, or the last messages of a conversation, when the output is not a terminal. */
export async function printOverview(
  {account, config}: AccountFlags,
  destination: string | undefined,
  io: CliIo,
): Promise<number> {
  const accountFlags = [...option('account', account), ...option('config', config)];
  try {
    const code = await runOverviewVerb(accountFlags, destination, io);
    if (code === exitCodes.ok && destination === undefined) printNotice(io, nextSteps);
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

function runOverviewVerb(
  accountFlags: readonly string[],
  destination: string | undefined,
  io: CliIo,
): Promise<ExitCode> {
  const signal = interruptionSignal();
  return destination === undefined
    ? runVerb('unread', accountFlags, io, signal)
    : runVerb('read', [...accountFlags, '--', destination], io, signal);
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
