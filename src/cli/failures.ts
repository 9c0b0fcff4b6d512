import {failureMessage, isApiFailure, type PermanentFailure} from '#api/failure.ts';
import {ConfigError} from '#config/config-error.ts';
import {StoreError} from '#state/account-store.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {type CliIo, printNotice} from './io.ts';
import {UsageError} from './usage-error.ts';

/** The user ended it: Ctrl-C or the end of input at a question. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** It could not be done, for a reason that is the situation's: one sentence. */
export class PlainFailure extends Error {
  override readonly name = 'PlainFailure';
  readonly exitCode: ExitCode;

  constructor(words: string, exitCode: ExitCode = exitCodes.failed) {
    super(words);
    this.exitCode = exitCode;
  }
}

/** Says in one sentence what went wrong, and gives the exit code for it. What nobody foresaw is thrown on. */
export function reportFailure(io: CliIo, error: unknown): ExitCode {
  const code = exitCodeOf(error);
  if (code === undefined) throw error;
  printNotice(
    io,
    isApiFailure(error) ? failureMessage(error) : String(error instanceof Error ? error.message : error),
  );
  return code;
}

export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof ConfigError) return exitCodes.login;
  if (error instanceof PlainFailure) return error.exitCode;
  if (error instanceof Cancelled || error instanceof StoreError) return exitCodes.failed;
  if (!isApiFailure(error)) return undefined;
  switch (error.kind) {
    case 'login':
      return exitCodes.login;
    case 'retry':
      return exitCodes.unreachable;
    case 'permanent':
      return permanentCode(error);
    case 'register':
    case 'malformed':
      return exitCodes.failed;
  }
}

/** Servers refuse much with a bare 400; only these say that it is this account that may not. */
const permissionCodes = new Set([
  'PERMISSION_DENIED',
  'UNAUTHORIZED_PRINCIPAL',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
]);

function permanentCode({code, status}: PermanentFailure): ExitCode {
  if (code === 'CANNOT_CONNECT') return exitCodes.unreachable;
  return status === 403 || permissionCodes.has(code) ? exitCodes.refused : exitCodes.failed;
}
