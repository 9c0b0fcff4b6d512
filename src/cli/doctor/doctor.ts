import {parseArgs} from 'node:util';
import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reportFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson, write} from '#cli/io.ts';
import {asUsageError} from '#cli/usage-error.ts';
import {accountChecks} from './account-checks.ts';
import type {DoctorCheck} from './check.ts';
import {machineChecks} from './machine-checks.ts';
import {terminalChecks} from './terminal-checks.ts';

export const doctorHelp = `parley doctor: check the machine, the account and the terminal

  --account NAME         check this account
  --config FILE          check the account in this zuliprc
  --json                 print JSON

Exit code 0 when no check failed (there may be warnings), 1 otherwise.
`;

const flags = {
  account: {type: 'string'},
  config: {type: 'string'},
  json: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

export async function doctor(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  try {
    const values = parse(argv);
    if (values.help === true) {
      write(io, doctorHelp);
      return exitCodes.ok;
    }
    const checks: DoctorCheck[] = [];
    for await (const check of allChecks(values, io)) {
      checks.push(check);
      if (values.json !== true) show(check, io);
    }
    const ok = checks.every(({status}) => status !== 'FAIL');
    if (values.json === true) printJson(io, {ok, checks});
    return ok ? exitCodes.ok : exitCodes.failed;
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function* allChecks(values: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  yield* machineChecks(io);
  yield* accountChecks(values, io);
  yield* terminalChecks(io);
}

function show({status, what, detail, lines = []}: DoctorCheck, io: CliIo): void {
  print(io, `${status.padEnd(4)}  ${what.padEnd(9)}  ${detail}`);
  for (const line of lines) print(io, `${' '.repeat(17)}${line}`);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options: flags}).values;
  } catch (error) {
    throw asUsageError(error, '“parley doctor --help” lists the options.');
  }
}
