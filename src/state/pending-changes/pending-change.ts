import type {StoredPendingChange} from '#state/account-store.ts';
import {isMarkOlderReadAction} from '#state/actions/mark-older-read.ts';
import {
  type PendingAction,
  type ReversibleAction,
  reversibleKinds,
} from '#state/actions/reversible-actions.ts';

/** An action on its way to the server, with what takes it back. */
export interface PendingChange {
  readonly id: number;
  /** What the disk says. */
  readonly body: string;
  readonly action: PendingAction;
  readonly inverse: ReversibleAction;
}

const recordKind = 'action';
/** As many ids as a server takes at once. */
const mostIds = 1000;

export function encodePendingChange(action: PendingAction, inverse: ReversibleAction): string {
  return JSON.stringify({kind: recordKind, action, inverse});
}

/** Undefined for what is none of ours: a lease, or what a newer Parley wrote. It is left for whom it concerns. */
export function decodePendingChange({id, body}: StoredPendingChange): PendingChange | undefined {
  let record: unknown;
  try {
    record = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(record) || record.kind !== recordKind) return undefined;
  const {action, inverse} = record;
  return isWaitingAction(action) && isReversibleAction(inverse) ? {id, body, action, inverse} : undefined;
}

/** Both in one request, if one request can say both. */
export function mergedAction(a: PendingAction, b: PendingAction): PendingAction | undefined {
  if (a.kind !== 'flags' || b.kind !== 'flags' || a.op !== b.op || a.flag !== b.flag) return undefined;
  const ids = [...new Set([...a.ids, ...b.ids])];
  return ids.length > mostIds ? undefined : {...a, ids};
}

/** Only we write these files; the kind decides, and the shape is checked where it would hurt. */
export function isReversibleAction(value: unknown): value is ReversibleAction {
  if (isObject(value) && value.kind === 'oldUnread') return typeof value.id === 'string';
  return isWaitingAction(value);
}

function isWaitingAction(value: unknown): value is PendingAction {
  if (!isObject(value) || typeof value.kind !== 'string') return false;
  if (value.kind === 'oldRead') return isMarkOlderReadAction(value);
  if (!reversibleKinds.includes(value.kind)) return false;
  return (
    value.kind !== 'flags' || (Array.isArray(value.ids) && value.ids.every((id) => Number.isSafeInteger(id)))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
