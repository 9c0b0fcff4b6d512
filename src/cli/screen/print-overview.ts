import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {Interruption, interruptionSignal} from '#cli/verbs/interruption.ts';
import {runVerb} from '#cli/verbs/run-verb.ts';

/** Without a terminal: what is unread, or what was said last at a place, and how to go on. */
export async function printOverview(
  {account, config}: AccountFlags,
  place: string | undefined,
  io: CliIo,
): Promise<number> {
  const asWhom = [...option('account', account), ...option('config', config)];
  try {
    const code = await printed(asWhom, place, io);
    if (code === exitCodes.ok && place === undefined) printNotice(io, howToGoOn);
    return code;
  } catch (error) {
    if (error instanceof Interruption) return error.exitCode;
    throw error;
  }
}

const howToGoOn = [
  '',
  'This is not a terminal that a screen can be drawn on. What works here:',
  '  parley inbox              the same with the first words of each',
  "  parley read '#channel'    messages; “parley send” answers",
  '  parley --plain            everything, line by line',
  '  parley --help             all commands',
].join('\n');

function printed(asWhom: readonly string[], place: string | undefined, io: CliIo): Promise<ExitCode> {
  const signal = interruptionSignal();
  return place === undefined
    ? runVerb('unread', asWhom, io, signal)
    : runVerb('read', [...asWhom, '--', place], io, signal);
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
