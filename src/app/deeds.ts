import type {ReversibleAction} from '#state/actions/reversible.ts';
import type {App} from './app.ts';
import {changeProblem} from './asking.ts';
import {type KeptUndo, takeBack, type UndoStep} from './kept-undo.ts';

/**
 * Does what can be taken back: shown at once, sent when possible, undone with one key. False when there was nothing to do.
 * `label` is what was done, in the past tense.
 */
export function doUndoably(app: App, action: ReversibleAction, label: string): boolean {
  return doAllUndoably(app, [action], label);
}

/** Several at once, which are taken back as one. */
export function doAllUndoably(app: App, actions: readonly ReversibleAction[], label: string): boolean {
  const steps = actions.flatMap((action) => attempt(app, action) ?? []);
  if (steps.length === 0) return false;
  const kept: KeptUndo = {label, at: app.clock.now(), keys: [], steps};
  app.undoStack.push({label, kept, undo: () => takeBack(app, kept)});
  app.toast(`${label} · ${undoKey(app)} undo`);
  return true;
}

/** Gives what takes it back; undefined when it was not done, and then it is said why, if there is a reason. */
export function attempt(app: App, action: ReversibleAction): UndoStep | undefined {
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return undefined;
  }
  try {
    const done = app.session.deeds.do(action);
    return done === undefined ? undefined : {kind: 'deed', inverse: done.inverse};
  } catch (error) {
    app.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
    return undefined;
  }
}

/** `z` where a list has the keys, `Z` everywhere else. */
export function undoKey({screen}: App): 'z' | 'Z' {
  const isList =
    screen.view.kind === 'inbox' || screen.view.kind === 'triage' || screen.view.kind === 'drafts';
  return isList && screen.focus === 'main' ? 'z' : 'Z';
}
