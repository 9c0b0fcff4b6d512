import {StoreError, type StoreFailureReason} from '#state/account-store.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {sqliteCode} from './database.ts';

export type LogFunction = (line: string, error?: unknown) => void;

/** The file at the path was moved by another process, or deleted. */
export class FileMovedError extends Error {
  override readonly name = 'FileMoved';
}

/** A newer version of Parley uses the file. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormat';
  readonly isInUse: boolean;

  constructor(isInUse: boolean) {
    super('The file has a newer format');
    this.isInUse = isInUse;
  }
}

/** The file opens, but Parley did not write it. */
export class NotParleyFileError extends Error {
  override readonly name = 'NotOurFile';
}

const corruptCode = 11;
const notADatabaseCode = 26;
const errorCode = 1;
const missingTable = /^(no such (table|column)|vtable constructor failed|unsupported file format)/;

/** Returns whether the error means that the file is damaged. */
export function isDamageError(error: unknown): boolean {
  if (error instanceof NotParleyFileError) return true;
  const code = sqliteCode(error);
  if (code === corruptCode || code === notADatabaseCode) return true;
  // Another program emptied or changed the file: our tables are missing.
  return code === errorCode && error instanceof Error && missingTable.test(error.message);
}

/** SQLite's codes for causes outside the file: permission, busy, memory, read-only, input/output, full, and so on. */
const outsideCauseCodes = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23]);

/** Returns whether the file itself is unusable: while opening, every error without an outside cause means that. */
export function isUnusableFileError(error: unknown): boolean {
  const code = sqliteCode(error);
  return isDamageError(error) || (code !== undefined && !outsideCauseCodes.has(code));
}

const reasonsByCode: Readonly<Record<number, StoreFailureReason>> = {
  5: 'busy',
  6: 'busy',
  [corruptCode]: 'damaged',
  13: 'full',
  [notADatabaseCode]: 'damaged',
};

const messages: Readonly<Record<StoreFailureReason, string>> = {
  full: 'The disk is full, so this was not saved. Free some space and try again.',
  unwritable: 'The disk cannot be written, so this was not saved. Check its permissions and try again.',
  busy: 'Another Parley process is using the account file, so this was not saved. Try again.',
  damaged: 'The account file is damaged, so this was not saved. Try again.',
  newer: 'A newer version of Parley is using the account file, so this was not saved. Restart Parley.',
  closed: 'The account file is closed, so this was not saved.',
};

export function createStoreError(reason: StoreFailureReason, cause?: unknown): StoreError {
  return new StoreError(reason, messages[reason], cause);
}

/** Returns the system's words for the cause of a failure, such as `read-only file system`. */
export function failureCause(error: unknown): string {
  const code = sqliteCode(error);
  if (code === 13) return 'no space left on device';
  if (code === 8) return 'read-only file system';
  // Such as `EROFS: read-only file system, open '…'`.
  return /^E[A-Z]+: ([^,]+)/.exec(errorText(error))?.[1] ?? errorText(error);
}

/** Converts any failure to the error type that callers handle. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof NewerFormatError) return createStoreError('newer', error);
  if (isDamageError(error)) return createStoreError('damaged', error);
  return createStoreError(reasonsByCode[sqliteCode(error) ?? -1] ?? 'unwritable', error);
}

/** The path of an account's file, and what opening it needs. */
export interface AccountFileOptions {
  readonly path: string;
  /** The SQL of the migrations, in order. */
  readonly migrationSteps: readonly string[];
  readonly clock: Clock;
  readonly log: LogFunction;
}
