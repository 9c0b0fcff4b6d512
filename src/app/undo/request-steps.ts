import type {App} from '#app/core/app.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {composed} from '#std/composed-text.ts';
import {type ToastMessage, withRedoKey, withUndoKey} from '#ui/core/toast-message.ts';
import {redoneText, undoneText} from './perform-undoable.ts';
import type {RequestStep, UndoRecord} from './undo-record.ts';
import type {Undone, UndoQuestion} from './undo-stack.ts';

/** How a feature carries out a kind of step that needs a request. */
export interface StepHandler<S extends RequestStep> {
  /** Returns why the step cannot be carried out now, as far as it is known without asking the server. */
  readonly problem?: ((app: App, step: S) => string | undefined) | undefined;
  /** Returns what to ask before the step. */
  readonly question?: ((app: App, step: S) => UndoQuestion | undefined) | undefined;
  /** Undoes the record of the step; returns the text to show until it is done, or undefined when nothing is left to do. */
  readonly undo: (app: App, record: UndoRecord, step: S) => Undone | undefined;
  /** Redoes the record of the step; returns the text to show until it is done. */
  readonly redo: (app: App, record: UndoRecord, step: S) => string | ToastMessage | undefined;
}

/** The handlers of all kinds of steps that need a request. The undo history receives them, so that it imports no feature. */
export type StepHandlers = {
  readonly [K in RequestStep['kind']]: StepHandler<Extract<RequestStep, {readonly kind: K}>>;
};

type Direction = 'undo' | 'redo';

/** Returns the step of a record that a request carries out. */
export function requestStepOf(record: UndoRecord | undefined): RequestStep | undefined {
  const step = record?.steps[0];
  return step === undefined || step.kind === 'change' || step.kind === 'snooze' ? undefined : step;
}

/** The request that carries out a step in one direction. */
interface StepRequest<T> {
  readonly send: () => Promise<T>;
  /** Returns what was done, where it is not just the label of the record. */
  readonly doneText?: (value: T) => string;
  readonly progressText?: string;
  readonly failureText?: string;
}

/** A kind of step that is carried out in the same way in both directions. */
interface TwoWayStep<S extends RequestStep, T> {
  readonly problem?: StepHandler<S>['problem'];
  /** Returns the step that takes a step back. */
  readonly inverse: (step: S) => S;
  /** Returns undefined when nothing is left to do. */
  readonly request: (app: App, step: S, direction: Direction) => StepRequest<T> | undefined;
}

/** Returns the handler of a kind of step that is carried out in the same way in both directions. */
export function twoWayHandler<S extends RequestStep, T>(kind: TwoWayStep<S, T>): StepHandler<S> {
  const {problem, inverse} = kind;
  const carryOut = (app: App, record: UndoRecord, step: S, direction: Direction): string | undefined => {
    const isUndo = direction === 'undo';
    const request = kind.request(app, step, direction);
    if (request === undefined) return undefined;
    requestFromServer(app, {
      send: request.send,
      doneText: (value) => {
        // An action that was redone is in the history again.
        if (!isUndo) app.undoStack.pushRecord({...record, at: app.clock.now(), steps: [inverse(step)]});
        const text = request.doneText?.(value) ?? (isUndo ? undoneText(record) : redoneText(record));
        return isUndo ? withRedoKey(text) : withUndoKey(text);
      },
      failureText: request.failureText ?? (isUndo ? 'Not undone' : 'Not redone'),
    });
    return request.progressText ?? composed`${isUndo ? 'Undoing' : 'Redoing'}: ${record.label}…`;
  };
  return {
    problem,
    undo: (app, record, step) => {
      const text = carryOut(app, record, step, 'undo');
      return text === undefined ? undefined : {text, redoSteps: [inverse(step)]};
    },
    redo: (app, record, step) =>
      carryOut(app, record, step, 'redo') ?? composed`Nothing is left to redo: ${record.label}`,
  };
}
