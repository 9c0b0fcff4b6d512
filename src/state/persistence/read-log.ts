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
  return added.length === 0 || write({keyValues}, [...before, ...added]);
}

/** Removes marks that a saved state contains. By what they say, not by their number: another process may have removed some. */
export function dropReadMarks(store: Store, saved: readonly ReadMark[]): void {
  const texts = new Set(saved.map((mark) => JSON.stringify(mark)));
  if (texts.size > 0)
    write(
      store,
      loggedReadMarks(store).filter((mark) => !texts.has(JSON.stringify(mark))),
    );
}

/** Returns false on a full or damaged disk: like the saved state, the log may be missing. */
function write({keyValues}: Store, marks: readonly ReadMark[]): boolean {
  try {
    keyValues.set(logKey, JSON.stringify(marks));
    return true;
  } catch {
    return false;
  }
}

export function loggedReadMarks({keyValues}: Store): readonly ReadMark[] {
  try {
    const log = parsedJson(keyValues.get(logKey) ?? '[]');
    return Array.isArray(log) && log.every(isReadMark) ? log : [];
  } catch {
    return [];
  }
}

function isReadMark(value: unknown): value is ReadMark {
  if (!isRecord(value) || value.type !== 'update_message_flags') return false;
  return Array.isArray(value.messages) && value.messages.every(Number.isSafeInteger);
}

/** Returns the saved state with the marks since. */
export function withLoggedReadMarks(state: AccountState, store: Store): AccountState {
  return loggedReadMarks(store).reduce<AccountState>(applyEvent, state);
}
