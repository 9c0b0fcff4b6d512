import {ConfigError} from '#config/private-files.ts';
import {StoreError} from '#state/account-store.ts';
import {errorText} from '#std/error-text.ts';
import {failureMessage, isApiFailure, isUncertain, type PermanentFailure} from '#wire/failure.ts';
import {Cancelled, type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice, UsageError} from './io.ts';

/**
 * Prints the failure as one sentence and returns its exit code; `check` says how to find out what became of a change. Throws
 * errors that are not expected.
 */
export function reportFailure(io: CliIo, error: unknown, check = ''): ExitCode {
  const code = exitCodeOf(error);
  if (code === undefined) throw error;
  const text = isApiFailure(error) ? failureMessage(error) : errorText(error);
  const found = isApiFailure(error) ? error.found : undefined;
  const outcomes = {unknown: ` This may have been done. ${check}`, notMade: ' This was not done.'};
  printNotice(io, found === undefined ? text : `${text}${outcomes[found]}`.trimEnd());
  return code;
}

export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof ConfigError) return exitCodes.login;
  if (error instanceof PlainFailure) return error.exitCode;
  if (error instanceof Cancelled || error instanceof StoreError) return exitCodes.failed;
  if (isUncertain(error)) return exitCodes.unknown;
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

/** The error codes that mean a missing permission. Many other refusals are a bare 400, and only their text says it. */
const permissionCodes = new Set([
  'PERMISSION_DENIED',
  'UNAUTHORIZED_PRINCIPAL',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
]);

const permissionText =
  /^(?:You do(?: not|n't) have permission|Insufficient permission|Not (?:allowed|authorized)|Must be an organization)/;

function permanentCode({code, status, message}: PermanentFailure): ExitCode {
  if (code === 'CANNOT_CONNECT' || code === 'NOT_ZULIP') return exitCodes.unreachable;
  const isRefused = status === 403 || permissionCodes.has(code) || permissionText.test(message);
  return isRefused ? exitCodes.refused : exitCodes.failed;
}
