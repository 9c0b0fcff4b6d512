import {StoreError, type StoreFailureReason} from '#state/account-store.ts';
import {sqliteCode} from './database.ts';

export type LogFunction = (line: string, error?: unknown) => void;

/** The file is no longer where it was: set aside by another program, or deleted. */
export class FileMovedError extends Error {
  override readonly name = 'FileMoved';
}

/** A Parley of a later format has the file. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormat';
  readonly isInUse: boolean;

  constructor(isInUse: boolean) {
    super('The file has a newer format');
    this.isInUse = isInUse;
  }
}

/** The file opens, but is not what we wrote. */
export class NotParleyFileError extends Error {
  override readonly name = 'NotOurFile';
}

const corrupt = 11;
const notADatabase = 26;
const plainError = 1;
const missing = /^(no such (table|column)|vtable constructor failed|unsupported file format)/;

/** Nothing can be expected of this file any more. */
export function isDamageError(error: unknown): boolean {
  if (error instanceof NotParleyFileError) return true;
  const code = sqliteCode(error);
  if (code === corrupt || code === notADatabase) return true;
  // Emptied or changed in place by something else: our tables are gone.
  return code === plainError && error instanceof Error && missing.test(error.message);
}

/** SQLite's codes for what the machine does not allow: permission, busy, memory, read-only, input/output, full, and so on. */
const circumstances = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23]);

/** While a file is opened, whatever is not for reasons outside is wrong with the file. */
export function isUnusableFileError(error: unknown): boolean {
  const code = sqliteCode(error);
  return isDamageError(error) || (code !== undefined && !circumstances.has(code));
}

const troubles: Readonly<Record<number, StoreFailureReason>> = {
  5: 'busy',
  6: 'busy',
  [corrupt]: 'damaged',
  13: 'full',
  [notADatabase]: 'damaged',
};

const sentences: Readonly<Record<StoreFailureReason, string>> = {
  full: 'The disk is full: this is not saved. Free some space and try again.',
  unwritable: 'The disk does not take what is written to it: this is not saved.',
  busy: 'Another Parley on this account holds its file: this is not saved. Try again.',
  damaged: 'The file of this account is damaged: this is not saved. Try again.',
  newer: 'A newer Parley has taken over the file of this account: this is not saved. Restart this one.',
  closed: 'The file of this account is closed: this is not saved.',
};

export function createStoreError(trouble: StoreFailureReason, cause?: unknown): StoreError {
  return new StoreError(trouble, sentences[trouble], cause);
}

/** Any failure as the one kind that callers know. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof NewerFormatError) return createStoreError('newer', error);
  if (isDamageError(error)) return createStoreError('damaged', error);
  return createStoreError(troubles[sqliteCode(error) ?? -1] ?? 'unwritable', error);
}

/** What went wrong, in a few words. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
