import type {App} from '#app/core/app.ts';
import type {ComposerPersistence} from '#app/core/composer-persistence.ts';
import {emptyField, setText, type TextField} from '#app/text/text-field.ts';
import type {DraftText} from '#state/drafts/drafts.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {LruCache} from '#std/lru-cache.ts';
import {persistEdit} from './persisted-edits.ts';

/** On disk so long after a key at the latest, and sooner when the keys rest. A write waits for the disk: a few milliseconds. */
const longestMs = 500;
const quietMs = 150;
const mostFields = 20;

/** What the composer holds is on disk a moment after it was written, and before anything else may take its place. */
export class ComposerSaver implements ComposerPersistence {
  readonly #app: App;
  /** What was written here lately, by its text: taken up again, it can still be undone. */
  readonly #fields = new LruCache<string, TextField>(mostFields);
  #unsavedSince: number | undefined;
  #cancel = () => {};
  #hasFailed = false;

  constructor(app: App) {
    this.#app = app;
    app.onEnd(() => this.flush());
  }

  get isUnsaved(): boolean {
    return this.#unsavedSince !== undefined;
  }

  scheduleSave(): void {
    const now = this.#app.clock.now();
    this.#unsavedSince ??= now;
    this.#cancel();
    const wait = Math.min(quietMs, this.#unsavedSince + longestMs - now);
    this.#cancel = this.#app.clock.after(Math.max(0, wait), () => this.flush());
  }

  cancelSave(): void {
    this.#cancel();
    this.#unsavedSince = undefined;
  }

  flush(): boolean {
    if (this.#unsavedSince === undefined) return true;
    this.cancelSave();
    const {composer} = this.#app.screen;
    try {
      if (composer.editing !== undefined) persistEdit(this.#app, composer.editing, composer.field.text);
      else this.#saveDraft();
      this.#hasFailed = false;
      return true;
    } catch (error) {
      this.#sayFailure(error);
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
    const {draftId, target, field} = app.screen.composer;
    const text = {target, content: field.text};
    const id = app.session.drafts.edit(draftId ?? this.#sameDraft(text), text)?.id;
    if (id !== draftId) {
      app.update((screen) => ({...screen, composer: {...screen.composer, draftId: id}}));
    }
  }

  /** A draft with these very words, such as one that was put away and taken back: it is gone on with. */
  #sameDraft({target, content}: DraftText): string | undefined {
    const isSame = (draft: LocalDraft) => draft.content === content && deepEqual(draft.target, target);
    return this.#app.session.drafts.all().find(isSame)?.id;
  }

  /** Said once; tried again with the next key. */
  #sayFailure(error: unknown): void {
    if (!this.#hasFailed) {
      const why = error instanceof Error ? error.message : String(error);
      this.#app.toast(`The draft is not on disk: ${why}`, 'error');
    }
    this.#hasFailed = true;
  }
}

export function composerSaver({composerPersistence}: App): ComposerPersistence {
  return composerPersistence;
}

/** What is being written is on disk when this returns. For every way out of the program. */
export function flushComposer(app: App): void {
  composerSaver(app).flush();
}
