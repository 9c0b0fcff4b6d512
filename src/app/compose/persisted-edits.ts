import type {App} from '#app/core/app.ts';
import type {MessageEdit} from './composer-state.ts';

/** Versions of messages that were begun and not saved: they are no drafts of messages, so they are kept by themselves. */
interface PersistedEdit {
  readonly before: string;
  readonly text: string;
}

const note = 'edits';
const mostKept = 50;

function read(app: App): Map<string, PersistedEdit> {
  const kept = new Map<string, PersistedEdit>();
  try {
    const json: unknown = JSON.parse(app.session.context.store.keyValues.get(note) ?? '{}');
    if (typeof json !== 'object' || json === null) return kept;
    for (const [id, value] of Object.entries(json)) if (isPersistedEdit(value)) kept.set(id, value);
  } catch {
    // A note that nobody can read holds nothing.
  }
  return kept;
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

function write(app: App, kept: Map<string, PersistedEdit>): void {
  const {keyValues: notes} = app.session.context.store;
  if (kept.size === 0) notes.remove(note);
  else notes.set(note, JSON.stringify(Object.fromEntries([...kept].slice(-mostKept))));
}

/** On disk when it returns; one that says what the message says is forgotten. Throws when the disk does not take it. */
export function persistEdit(app: App, {messageId, before}: MessageEdit, text: string): void {
  const kept = read(app);
  const id = String(messageId);
  const hadIt = kept.delete(id);
  if (text !== before) kept.set(id, {before, text});
  else if (!hadIt) return;
  write(app, kept);
}

export function persistedEdit(app: App, messageId: number): PersistedEdit | undefined {
  return read(app).get(String(messageId));
}

export function removePersistedEdit(app: App, messageId: number): void {
  const kept = read(app);
  if (kept.delete(String(messageId))) write(app, kept);
}
