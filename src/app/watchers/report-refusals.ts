import type {App} from '#app/core/app.ts';
import type {Undoable, UndoStep} from '#app/core/undo-stack.ts';
import {forgetTriageAction, noOpUndoText} from '#app/inbox/actions/perform-row-action.ts';
import {applyUndoRecord} from '#app/undo/undo-record.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import type {RefusedChange} from '#state/pending-changes/pending-change-sender.ts';
import {deepEqual} from '#std/deep-equal.ts';

/** Refusals that come so soon after each other are of one moment: a server that takes nothing is told of once. */
const momentMs = 3000;

/**
 * Says what the server did not do, and why; the screen shows it as it was already. What was done is no longer there to be
 * taken back then. `appOf` is asked when it is needed: the session comes first.
 */
export function reportRefusals(appOf: () => App): (refusal: RefusedChange) => void {
  const refused = new WeakSet<UndoStep>();
  let [count, lastAt] = [0, Number.NEGATIVE_INFINITY];
  return (refusal) => {
    const app = appOf();
    // A part of it may be done, and can be taken back.
    if (refusal.action.kind === 'oldRead') {
      app.toast(olderReadProblem(refusal.problem), 'error');
      return;
    }
    const done = withdraw(app, refusal, refused);
    const now = app.clock.now();
    count = now - lastAt < momentMs ? count + 1 : 1;
    lastAt = now;
    const what = count > 1 ? `${count} changes` : (done?.label ?? actionName(refusal.action));
    app.toast(`Refused by the server: ${what} · ${refusal.problem}`, 'error');
  };
}

/** Said of what takes many requests. */
export function olderReadProblem(problem: string): string {
  return `Not all of what is older was marked read: ${problem}`;
}

/** Finds what was done by what would have taken it back. Of several things that were one, those that came about stay. */
function withdraw(app: App, {inverse}: RefusedChange, refused: WeakSet<UndoStep>): Undoable | undefined {
  const isIt = (step: UndoStep) =>
    step.kind === 'deed' && !refused.has(step) && deepEqual(step.inverse, inverse);
  for (const done of app.undoStack.list()) {
    const {record: kept} = done;
    const step = kept?.steps.find(isIt);
    if (kept === undefined || step === undefined) continue;
    refused.add(step);
    const left = kept.steps.filter((one) => !refused.has(one));
    if (left.some(({kind}) => kind === 'deed')) return done;
    // What was put off is so again: it is unread, as it was.
    applyUndoRecord(app, {...kept, steps: left});
    forgetTriageAction(app, done);
    app.undoStack.cancel(done, noOpUndoText(app, `The server had refused it: ${kept.label}`));
    return done;
  }
  return undefined;
}

/** For what nobody can take back by a key: the reading of what was on the screen, settings. */
function actionName(action: PendingAction): string {
  switch (action.kind) {
    case 'flags': {
      const what = action.ids.length === 1 ? 'a message' : `${action.ids.length} messages`;
      const [add, remove] = flagTexts[action.flag];
      return `marking ${what} ${action.op === 'add' ? add : remove}`;
    }
    case 'reaction':
      return 'a reaction';
    default:
      return 'a change of your settings';
  }
}

const flagTexts = {
  read: ['read', 'unread'],
  starred: ['with a star', 'without a star'],
  collapsed: ['collapsed', 'expanded'],
} as const;
