import type {TextField} from '#ui/text/text-field.ts';

/** Saves the composer's text to disk while the user types. */
export interface ComposerPersistence {
  readonly isUnsaved: boolean;
  /** Schedules a save after the text changed. */
  scheduleSave(): void;
  /** Cancels the scheduled save: the text was sent, or saved in another way. */
  cancelSave(): void;
  /** Saves at once. Returns false when writing to disk failed. */
  flush(): boolean;
  /** Remembers a field together with its undo history. */
  rememberField(field: TextField): void;
  /** Returns a field with this text, including the undo history when the text was typed in this session. */
  rememberedField(text: string, kills: readonly string[]): TextField;
}
