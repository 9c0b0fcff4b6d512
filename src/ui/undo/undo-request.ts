import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';

/** A change that the server has confirmed, and the request that undoes it. */
export interface UndoRequest {
  /** Past tense: `Removed the domain zulip.com`. */
  readonly label: string;
  undo(): Promise<unknown>;
  readonly undoneText: string;
  /** Shown before the reason of a failure: `The domain was not added again`. */
  readonly failureText: string;
}

/** Makes a confirmed change undoable. Returns the text for its toast, which names the undo key. */
export function undoOffer(app: App, {label, undo, undoneText, failureText}: UndoRequest): string {
  app.undoStack.push({
    label,
    undo: () => {
      requestFromServer(app, {send: undo, doneText: () => undoneText, failureText});
      return `Undoing: ${label}`;
    },
  });
  return `${label}${undoKeyOffer()}`;
}
