import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, print} from '#cli/io.ts';
import {verbWithHelp} from '#cli/verbs/parse-verb-arguments.ts';
import {printResult} from '#cli/verbs/verb-runner.ts';
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

export const doctor = verbWithHelp('doctor', doctorHelp, async ({values}, io) => {
  const checks: DoctorCheck[] = [];
  for await (const check of allChecks(values, io)) {
    checks.push(check);
    if (!values.json) show(check, io);
  }
  const ok = checks.every(({status}) => status !== 'FAIL');
  const exitCode = ok ? exitCodes.ok : exitCodes.failed;
  return printResult(io, values, {json: {ok, checks}, text: undefined, exitCode});
});

async function* allChecks(values: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  yield* machineChecks(io);
  yield* accountChecks(values, io);
  yield* terminalChecks(io);
}

function show({status, what, detail, lines = []}: DoctorCheck, io: CliIo): void {
  print(io, `${status.padEnd(4)}  ${what.padEnd(9)}  ${detail}`);
  for (const line of lines) print(io, `${' '.repeat(17)}${line}`);
}
