import type {App} from '#ui/core/app.ts';
import type {MessageEdit} from './composer-state.ts';

/** An unsaved edit of a message. Edits are not drafts of new messages, so they are stored separately. */
interface PersistedEdit {
  readonly before: string;
  readonly text: string;
}

const storageKey = 'edits';
const maxEdits = 50;

function read(app: App): Map<string, PersistedEdit> {
  const edits = new Map<string, PersistedEdit>();
  try {
    const json: unknown = JSON.parse(app.session.context.store.keyValues.get(storageKey) ?? '{}');
    if (typeof json !== 'object' || json === null) return edits;
    for (const [id, value] of Object.entries(json)) if (isPersistedEdit(value)) edits.set(id, value);
  } catch {
    // An unreadable value counts as empty.
  }
  return edits;
}

function isPersistedEdit(value: unknown): value is PersistedEdit {
  return (
    typeof value === 'object' &&
    value !== null &&
    'before' in value &&
    'text' in value &&
    typeof value.before === 'string' &&
    typeof value.text === 'string'
  );
}

function write(app: App, edits: Map<string, PersistedEdit>): void {
  const {keyValues} = app.session.context.store;
  if (edits.size === 0) keyValues.remove(storageKey);
  else keyValues.set(storageKey, JSON.stringify(Object.fromEntries([...edits].slice(-maxEdits))));
  showUnsavedEdits(app);
}

/** Shows which messages have an unsaved edit, at start and after a change. */
export function showUnsavedEdits(app: App): void {
  const ids = new Set(Array.from(read(app).keys(), Number));
  if (ids.symmetricDifference(app.screen.unsavedEditIds).size > 0) app.set({unsavedEditIds: ids});
}

/** Hides that the edit of a message is unsaved, while it is being saved. */
export function hideUnsavedEdit(app: App, messageId: number): void {
  app.set({unsavedEditIds: app.screen.unsavedEditIds.difference(new Set([messageId]))});
}

/** Writes the edit to disk before returning; an edit equal to the message is removed. Throws when writing fails. */
export function persistEdit(app: App, {messageId, before}: MessageEdit, text: string): void {
  const edits = read(app);
  const id = String(messageId);
  const existed = edits.delete(id);
  if (text !== before) edits.set(id, {before, text});
  else if (!existed) return;
  write(app, edits);
}

export function persistedEdit(app: App, messageId: number): PersistedEdit | undefined {
  return read(app).get(String(messageId));
}

export function removePersistedEdit(app: App, messageId: number): void {
  const edits = read(app);
  if (edits.delete(String(messageId))) write(app, edits);
}
