import {StoreError, type StoreTrouble} from '#state/account-store.ts';
import {sqliteCode} from './database.ts';

export type Log = (line: string, error?: unknown) => void;

/** The file is no longer where it was: set aside by another program, or deleted. */
export class FileMoved extends Error {
  override readonly name = 'FileMoved';
}

/** A Parley of a later format has the file. */
export class NewerFormat extends Error {
  override readonly name = 'NewerFormat';
  readonly isInUse: boolean;

  constructor(isInUse: boolean) {
    super('The file has a newer format');
    this.isInUse = isInUse;
  }
}

/** The file opens, but is not what we wrote. */
export class NotOurFile extends Error {
  override readonly name = 'NotOurFile';
}

const corrupt = 11;
const notADatabase = 26;
const plainError = 1;
const missing = /^(no such (table|column)|vtable constructor failed|unsupported file format)/;

/** Nothing can be expected of this file any more. */
export function isDamage(error: unknown): boolean {
  if (error instanceof NotOurFile) return true;
  const code = sqliteCode(error);
  if (code === corrupt || code === notADatabase) return true;
  // Emptied or changed in place by something else: our tables are gone.
  return code === plainError && error instanceof Error && missing.test(error.message);
}

/** SQLite's codes for what the machine does not allow: permission, busy, memory, read-only, input/output, full, and so on. */
const circumstances = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23]);

/** While a file is opened, whatever is not for reasons outside is wrong with the file. */
export function isUnusable(error: unknown): boolean {
  const code = sqliteCode(error);
  return isDamage(error) || (code !== undefined && !circumstances.has(code));
}

const troubles: Readonly<Record<number, StoreTrouble>> = {
  5: 'busy',
  6: 'busy',
  [corrupt]: 'damaged',
  13: 'full',
  [notADatabase]: 'damaged',
};

const sentences: Readonly<Record<StoreTrouble, string>> = {
  full: 'The disk is full: this is not saved. Free some space and try again.',
  unwritable: 'The disk does not take what is written to it: this is not saved.',
  busy: 'Another Parley on this account holds its file: this is not saved. Try again.',
  damaged: 'The file of this account is damaged: this is not saved. Try again.',
  newer: 'A newer Parley has taken over the file of this account: this is not saved. Restart this one.',
  closed: 'The file of this account is closed: this is not saved.',
};

export function storeError(trouble: StoreTrouble, cause?: unknown): StoreError {
  return new StoreError(trouble, sentences[trouble], cause);
}

/** Any failure as the one kind that callers know. */
export function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof NewerFormat) return storeError('newer', error);
  if (isDamage(error)) return storeError('damaged', error);
  return storeError(troubles[sqliteCode(error) ?? -1] ?? 'unwritable', error);
}

/** What went wrong, in a few words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
