/** A command that a toast offers: ` · z undo`. */
export interface KeyOffer {
  readonly label: string;
  /** The toast shows the key that runs one of them where the user is, and nothing where none does. */
  readonly commands: readonly string[];
}

/** A toast's text in parts. */
export interface ToastMessage {
  /** What happened. */
  readonly text: string;
  /** What follows from it, or what the user can do now. */
  readonly hint?: string | undefined;
  readonly offer?: KeyOffer | undefined;
  /** What was not done; behind the offer. */
  readonly note?: string | undefined;
}

export function withUndoKey(text: string, label = 'undo'): ToastMessage {
  return {text, offer: {label, commands: ['undo']}};
}

export function withRedoKey(written: string | ToastMessage): ToastMessage {
  return {offer: {label: 'redo', commands: ['redo']}, ...toastMessage(written)};
}

export function withDraftsKey(text: string): ToastMessage {
  return {text, offer: {label: 'drafts', commands: ['view.drafts']}};
}

export function toastMessage(written: string | ToastMessage): ToastMessage {
  return typeof written === 'string' ? {text: written} : written;
}
