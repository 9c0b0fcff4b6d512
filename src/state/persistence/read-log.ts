import type {AccountStore} from '#state/account-store.ts';
import {applyEvent} from '#state/apply-event.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import type {EventOf} from '#wire/events.ts';

/**
 * The read marks since the state was saved. The whole state is saved every half a minute at most: after a crash, a start
 * without the server would show conversations as unread that were read, and undo there would make them unread.
 */
type ReadMark = EventOf<'update_message_flags'>;
type Store = Pick<AccountStore, 'keyValues'>;

const logKey = 'state.readLog';
/** The state is saved instead of a longer log. */
const maxIds = 5000;

/** Adds the read marks among the events to the log. Returns false when the log is full: then the state must be saved soon. */
export function logReadMarks({keyValues}: Store, events: readonly StateEvent[]): boolean {
  const marks = events.filter(
    (event): event is ReadMark => event.type === 'update_message_flags' && event.flag === 'read',
  );
  if (marks.length === 0) return true;
  const before = loggedReadMarks({keyValues});
  const last = before.at(-1);
  const lastIds = new Set(last?.messages);
  // The event of an own mark repeats what its response already confirmed.
  const added = marks.filter(({op, messages}) => op !== last?.op || messages.some((id) => !lastIds.has(id)));
  const count = [...before, ...added].reduce((sum, {messages}) => sum + messages.length, 0);
  if (count > maxIds) return false;
  try {
    if (added.length > 0) keyValues.set(logKey, JSON.stringify([...before, ...added]));
    return true;
  } catch {
    // On a full disk the next saved state contains them.
    return false;
  }
}

/** Removes the oldest marks, which a saved state contains. */
export function dropReadMarks({keyValues}: Store, count: number): void {
  if (count > 0) keyValues.set(logKey, JSON.stringify(loggedReadMarks({keyValues}).slice(count)));
}

export function loggedReadMarks({keyValues}: Store): readonly ReadMark[] {
  const log = parsedJson(keyValues.get(logKey) ?? '[]');
  return Array.isArray(log) && log.every(isReadMark) ? log : [];
}

function isReadMark(value: unknown): value is ReadMark {
  if (!isRecord(value) || value.type !== 'update_message_flags') return false;
  return Array.isArray(value.messages) && value.messages.every(Number.isSafeInteger);
}

/** Returns the saved state with the marks since. */
export function withLoggedReadMarks(state: AccountState, store: Store): AccountState {
  return loggedReadMarks(store).reduce<AccountState>(applyEvent, state);
}
