import {type App, readPersistedValue} from '#app/core/app.ts';
import type {ComposerPersistence} from '#app/core/host.ts';
import type {DraftText} from '#state/drafts/drafts.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {errorText} from '#std/error-text.ts';
import {LruCache} from '#std/lru-cache.ts';
import {isRecord} from '#std/parse-json.ts';
import type {MessageEdit} from '#ui/composer/composer-state.ts';
import {chosenTarget} from '#ui/composer/recipients.ts';
import {emptyField, setText, type TextField} from '#ui/text/text-field.ts';

/**
 * What was typed longer ago than this survives the end of the process, also by SIGKILL. A save takes a fraction of a
 * millisecond and does not wait for the disk.
 */
const saveDelayMs = 60;
const maxFields = 20;

/** Saves the composer's text shortly after each change, and before anything replaces it. */
export class ComposerSaver implements ComposerPersistence {
  readonly #app: App;
  /** Recently edited fields by their text, so that a restored draft keeps its undo history. */
  readonly #fields = new LruCache<string, TextField>(maxFields);
  #isUnsaved = false;
  /** The draft's content before the unsaved change. */
  #contentBefore: string | undefined;
  #cancelTimer: (() => void) | undefined;
  #hasFailed = false;

  constructor(app: App) {
    this.#app = app;
    app.onEnd(() => this.flush());
  }

  get isUnsaved(): boolean {
    return this.#isUnsaved;
  }

  scheduleSave(): void {
    const {clock, screen, session} = this.#app;
    const {draftId} = screen.composer;
    if (!this.#isUnsaved) {
      this.#isUnsaved = true;
      this.#contentBefore = draftId === undefined ? undefined : session.drafts.get(draftId)?.content;
    }
    this.#cancelTimer ??= clock.after(saveDelayMs, () => this.flush());
  }

  cancelSave(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isUnsaved = false;
  }

  flush(): boolean {
    if (!this.#isUnsaved) return true;
    this.cancelSave();
    const {composer} = this.#app.screen;
    try {
      if (composer.editing !== undefined) persistEdit(this.#app, composer.editing, composer.field.text);
      else this.#saveDraft();
      this.#hasFailed = false;
      return true;
    } catch (error) {
      this.#isUnsaved = true;
      this.#toastFailure(error);
      return false;
    }
  }

  rememberField(field: TextField): void {
    if (field.text !== '') this.#fields.set(field.text, field);
  }

  rememberedField(text: string, kills: readonly string[]): TextField {
    return {...(this.#fields.get(text) ?? setText(emptyField, text)), kills};
  }

  #saveDraft(): void {
    const app = this.#app;
    const {composer} = app.screen;
    const {draftId, field} = composer;
    // While the recipients are typed, a part of a name is not looked up among all users at every key.
    const target = composer.activePart === 'to' ? composer.target : chosenTarget(app.state, composer);
    const text = {target, content: field.text};
    const id = app.session.drafts.edit(draftId ?? this.#sameDraft(text), text, this.#contentBefore)?.id;
    if (id !== draftId) {
      app.setIn('composer', {draftId: id});
    }
  }

  /** Returns the draft with exactly this text, such as one that was saved and restored, so that it is continued. */
  #sameDraft({target, content}: DraftText): string | undefined {
    const isSame = (draft: LocalDraft) => draft.content === content && deepEqual(draft.target, target);
    return this.#app.session.drafts.all().find(isSame)?.id;
  }

  /** Shows the failure once; the next key retries. */
  #toastFailure(error: unknown): void {
    if (!this.#hasFailed) {
      this.#app.toast(`Draft not saved to disk: ${errorText(error)}`, 'error');
    }
    this.#hasFailed = true;
  }
}

/** An unsaved edit of a message. Edits are not drafts of new messages, so they are stored separately. */
interface PersistedEdit {
  readonly before: string;
  readonly text: string;
}

const storageKey = 'edits';
const maxEdits = 50;

function read(app: App): Map<string, PersistedEdit> {
  return readPersistedValue(app, storageKey, (saved) => {
    const entries = Object.entries(isRecord(saved) ? saved : {});
    return new Map(entries.flatMap(([id, edit]) => (isPersistedEdit(edit) ? [[id, edit] as const] : [])));
  });
}

function isPersistedEdit(value: unknown): value is PersistedEdit {
  return isRecord(value) && typeof value.before === 'string' && typeof value.text === 'string';
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
