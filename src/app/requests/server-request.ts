import type {App} from '#app/core/app.ts';
import {laterInUndoGroup} from '#app/core/undo-group.ts';
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type ToastMessage, toastMessage, withRedoKey, withUndoKey} from '#ui/core/toast-message.ts';
import {type ApiFailure, failureMessage, isApiFailure, isUncertain} from '#wire/failure.ts';

/** A request to the server, with the texts that report it. */
interface ServerRequest<T> {
  /** Shown at once: `Moving…`. */
  readonly progressText?: string;
  readonly send: () => Promise<T>;
  /** Returns what to show when it succeeded; undefined shows nothing. */
  readonly doneText: (value: T) => string | ToastMessage | undefined;
  /** Shown before the reason of a failure: `Not moved`. */
  readonly failureText: string;
  /** What undo says when `doneText` has not put the change into the undo history. */
  readonly permanentText?: string;
  /** Where it happens, for the undo history. */
  readonly place?: string;
  /** Whether `send` has put the change into the undo history. */
  readonly isRecorded?: true;
}

/**
 * Sends a request whose effect shows only once the server confirms it. Does not wait: a toast reports the result. A change
 * goes into the undo history: how to undo it, if `doneText` adds that, and otherwise that it cannot be undone. A request of
 * an undo does not; if it fails, what it was to undo goes back into the history. A redo sends the request again.
 */
export function requestFromServer<T>(app: App, request: ServerRequest<T>): void {
  const {progressText, send, doneText, failureText, permanentText, place, isRecorded} = request;
  if (app.warn(changeProblem(app))) return;
  if (progressText !== undefined) app.toast(progressText);
  const reversal = app.undoStack.awaitReversal();
  const joined = laterInUndoGroup();
  const sent = send();
  const isNew = reversal?.isUndo !== true && isRecorded !== true;
  const answered = isNew ? app.undoStack.awaitAnswer() : <V>(report: () => V) => report();
  sent.then(
    (value) => {
      const {pushCount} = app.undoStack;
      const text = answered(() => {
        const done = joined(() => doneText(value));
        if (isNew) recordPermanent(app, done, {pushCount, permanentText, place});
        return done;
      });
      if (isNew) app.undoStack.setRedo(pushCount, () => requestAgain(app, request));
      reversal?.confirm();
      if (text !== undefined) app.toast(text);
    },
    (error: unknown) => {
      reversal?.fail();
      answered(() => reportFailure(app, error, {failureText, progressText, isUndo: reversal !== undefined}));
    },
  );
}

/** Redoes a change by sending its request again. */
function requestAgain<T>(app: App, request: ServerRequest<T>): undefined {
  requestFromServer(app, request);
}

/** A change that can be undone once the server has confirmed it. */
interface UndoableChange<U> extends Omit<ServerRequest<unknown>, 'doneText'>, UndoRequest<U> {
  /** Shown before the reason why it could not be undone; `failureText` by default. */
  readonly undoFailureText?: string;
}

export function changeOnServer<U>(app: App, {undoFailureText, ...change}: UndoableChange<U>): void {
  const {failureText} = change;
  const doneText = () =>
    undoOffer(app, {...change, failureText: undoFailureText ?? failureText, redoFailureText: failureText});
  requestFromServer(app, {...change, doneText});
}

/** A change that the server has confirmed, and the request that undoes it. */
interface UndoRequest<U> {
  /** Past tense: `Removed the domain zulip.com`. */
  readonly label: string;
  undo(): Promise<U>;
  /** Redoes the change, where its request cannot just be sent again: with the result of the undo, such as a new id. */
  redo?(undone: U): Promise<unknown>;
  readonly undoneText: string;
  /** Shown before the reason of a failure: `The domain was not added again`. */
  readonly failureText: string;
  /** Shown before the reason why it could not be redone. */
  readonly redoFailureText?: string;
  /** Shown until it is undone; the label by default. */
  readonly undoingText?: string | undefined;
}

/** Makes a confirmed change undoable. Returns its toast, which names the undo key. */
export function undoOffer<U>(app: App, change: UndoRequest<U>): ToastMessage {
  const {label, undo, redo, undoneText, failureText, redoFailureText = 'Not redone', undoingText} = change;
  let undone: {readonly value: U} | undefined;
  app.undoStack.push({
    label,
    undo: () => {
      const doneText = (value: U) => {
        undone = {value};
        return withRedoKey(undoneText);
      };
      requestFromServer(app, {send: undo, doneText, failureText});
      return undoingText ?? composed`Undoing: ${label}`;
    },
    redo:
      redo &&
      (() => {
        if (undone === undefined) return undefined;
        const {value} = undone;
        requestFromServer(app, {
          progressText: composed`Redoing: ${label}`,
          send: () => redo(value),
          doneText: () => undoOffer(app, change),
          failureText: redoFailureText,
        });
        return undefined;
      }),
  });
  return withUndoKey(label);
}

interface FailureTexts {
  /** Shown before the reason if the change was not made: `Not moved`. */
  readonly failureText: string;
  /** What was requested: `Moving…`. */
  readonly progressText?: string | undefined;
  readonly isUndo?: boolean;
}

/**
 * Shows that a change failed: all changes report it with this. When nobody knows whether the server made the change, it says
 * so, and undo says it too, instead of undoing an older change.
 */
export function reportFailure(app: App, error: unknown, {failureText, progressText = '', isUndo}: FailureTexts): void {
  const reason = failureReason(error);
  if (reason === undefined) return;
  if (!isUncertain(error)) {
    app.toast(`${failureText}: ${reason}`, 'error');
    return;
  }
  const subject = progressText.replace(/…$/u, '');
  if (isUndo !== true) app.undoStack.pushPermanent(subject || 'A change', {problem: `Not undone: ${unknownResult}`});
  app.toast(`${subject === '' ? '' : `${subject}: `}${unknownResultText(reason)}`, 'error', unknownResultMs);
}

/**
 * Shows that it is not known yet whether a change was made, until that is known; the change then reports its result. `getApp` is
 * called late, because the session is created before the app.
 */
export function reportUnknownResults(getApp: () => App): (failure: ApiFailure, settled: Promise<void>) => void {
  return (failure, settled) => {
    const app = getApp();
    const withdraw = app.undoStack.pushUnknown(unknownResult);
    app.toast(`${unknownResultText(failureMessage(failure))} Parley keeps looking.`, 'error', unknownResultMs);
    const {toast} = app.screen;
    void settled.then(() => {
      withdraw();
      if (app.screen.toast?.id === toast?.id) app.set({toast: undefined});
    });
  };
}

const unknownResult = 'it is unknown whether it was done';
/** Longer than other toasts: it has to be read before the change is made again. */
const unknownResultMs = 60_000;

/** Returns the sentence about a change that may or may not have been made. */
export function unknownResultText(reason: string): string {
  return `It is unknown whether this was done. Look before you do it again. (${reason})`;
}

interface PermanentChange {
  /** The pushes to the undo history before the change. */
  readonly pushCount: number;
  readonly permanentText?: string | undefined;
  readonly place?: string | undefined;
}

/** Records a change that cannot be undone, unless the undo history has it: nothing was pushed since. */
export function recordPermanent(app: App, done: string | ToastMessage | undefined, change: PermanentChange): void {
  if (done === undefined || app.undoStack.pushCount !== change.pushCount) return;
  app.undoStack.pushPermanent(toastMessage(done).text, {problem: change.permanentText, place: change.place});
}

/** Returns the reason of a failure for the user; undefined when the session has ended, which needs no report. */
export function failureReason(error: unknown): string | undefined {
  if (isApiFailure(error)) return failureMessage(error);
  const isEnd = error instanceof Error && error.message === 'The session has ended';
  return isEnd ? undefined : errorText(error);
}

/** Shows what a task resolves with, or why it failed. */
export function toastResult(app: App, task: Promise<string | ToastMessage>): void {
  task.then(
    (result) => app.toast(result),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(reason, 'error');
    },
  );
}
