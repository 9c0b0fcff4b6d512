import {PlainFailure} from '#cli/io.ts';
import {BackupDamaged} from '#server/backup/manifest.ts';
import {DatabaseInUse, isDamaged, isDatabaseError, isDiskFull} from '#server/db/database.ts';
import {NewerSchema} from '#server/db/migrate.ts';
import {ApiError} from '#server/errors.ts';
import {NoSpaceToConvert} from '#std/keep-database-copy.ts';

/**
 * Returns the sentence about data that cannot be read or written: it is absent, not permitted, read-only, on a full disk, damaged,
 * in use or of another version. Undefined for errors of other kinds.
 */
export function failureSentence(error: unknown): string | undefined {
  if (error instanceof ApiError) return sentence(error.message);
  if (error instanceof DatabaseInUse) return `${error.message} It does not respond: try again.`;
  const isPlain = [NewerSchema, NoSpaceToConvert, BackupDamaged, PlainFailure].some((kind) => error instanceof kind);
  if (error instanceof Error && isPlain) return error.message;
  if (isDiskFull(error)) return 'The disk is full.';
  if (isDamaged(error)) {
    return `The database is damaged: ${error.message}. “parley serve check” says more, and “parley serve restore” puts a backup into a new directory.`;
  }
  if (isDatabaseError(error)) return `The database cannot be used: ${error.message}.`;
  return error instanceof Error && 'syscall' in error ? systemSentence(error) : undefined;
}

/** Turns a failure that `failureSentence` knows into a PlainFailure, and returns others as they are. `outcome` says what was done. */
export function dataFailure(error: unknown, outcome?: string): unknown {
  const text = failureSentence(error);
  if (text === undefined) return error;
  return new PlainFailure(outcome === undefined ? text : `${text} ${outcome}`);
}

/** Returns what turns such failures into ones that also say what was done. */
export function failureAfter(outcome: string): (error: unknown) => unknown {
  return (error) => dataFailure(error, outcome);
}

function systemSentence(error: Error): string {
  const {code, path} = {code: '', path: undefined, ...error};
  if (typeof path !== 'string') return `${error.message}.`;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no ${path}.`;
    case 'EACCES':
    case 'EPERM':
      return `You are not allowed to use ${path}. Run the command as the user who owns it.`;
    case 'EROFS':
      return `${path} is on a read-only file system.`;
    default:
      return `${error.message}.`;
  }
}

/** Errors of the API are sentences, some without a full stop. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
