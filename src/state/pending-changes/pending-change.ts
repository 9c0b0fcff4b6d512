import type {StoredPendingChange} from '#state/account-store.ts';
import {isMarkOlderReadAction} from '#state/actions/mark-older-read.ts';
import {type PendingAction, type ReversibleAction, reversibleKinds} from '#state/actions/reversible-actions.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';

/** An action on its way to the server, with the action that undoes it. */
export interface PendingChange {
  readonly id: number;
  /** The JSON text on disk. */
  readonly body: string;
  readonly action: PendingAction;
  readonly inverse: ReversibleAction;
}

const recordKind = 'action';
/** The maximum number of ids that a server accepts at once. */
const maxIds = 1000;

export function encodePendingChange(action: PendingAction, inverse: ReversibleAction): string {
  return JSON.stringify({kind: recordKind, action, inverse});
}

/**
 * Decodes a stored change; undefined for other records, such as a lease or a change written by a newer
 * version, which are left alone.
 */
export function decodePendingChange({id, body}: StoredPendingChange): PendingChange | undefined {
  const record = parsedJson(body);
  if (!isRecord(record) || record.kind !== recordKind) return undefined;
  const {action, inverse} = record;
  return isPendingAction(action) && isReversibleAction(inverse) ? {id, body, action, inverse} : undefined;
}

/** Merges two actions if one request can carry both. */
export function mergedAction(a: PendingAction, b: PendingAction): PendingAction | undefined {
  if (a.kind !== 'flags' || b.kind !== 'flags' || a.op !== b.op || a.flag !== b.flag) return undefined;
  const ids = [...new Set([...a.ids, ...b.ids])];
  return ids.length > maxIds ? undefined : {...a, ids};
}

/**
 * Checks an action from disk. Only Parley writes these files, so the kind decides, and only critical fields
 * are checked.
 */
export function isReversibleAction(value: unknown): value is ReversibleAction {
  if (isRecord(value) && value.kind === 'oldUnread') return typeof value.id === 'string';
  return isPendingAction(value);
}

function isPendingAction(value: unknown): value is PendingAction {
  if (!isRecord(value) || typeof value.kind !== 'string') return false;
  if (value.kind === 'oldRead') return isMarkOlderReadAction(value);
  if (!reversibleKinds.includes(value.kind)) return false;
  return value.kind !== 'flags' || (Array.isArray(value.ids) && value.ids.every((id) => Number.isSafeInteger(id)));
}
