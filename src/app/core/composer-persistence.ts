import type {TextField} from '#app/text/text-field.ts';

/** Keeps on disk what the composer holds. */
export interface ComposerPersistence {
  readonly isUnsaved: boolean;
  /** The text changed. */
  scheduleSave(): void;
  /** Nothing waits any more: it was sent, or put aside by other means. */
  cancelSave(): void;
  /** On disk when it returns; false when the disk did not take it. */
  flush(): boolean;
  /** Remembers how a text came to be. */
  rememberField(field: TextField): void;
  /** The text as a field, with its undo where it was written here. */
  rememberedField(text: string, kills: readonly string[]): TextField;
}
