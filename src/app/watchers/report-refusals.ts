import type {App} from '#app/core/app.ts';
import type {Undoable, UndoStep} from '#app/core/undo-stack.ts';
import {forgetAct, withNext} from '#app/inbox/actions/perform-row-action.ts';
import {takeBack} from '#app/undo/undo-record.ts';
import type {WaitingAction} from '#state/actions/reversible-actions.ts';
import type {Refusal} from '#state/pending-changes/pending-change-sender.ts';
import {equal} from '#std/deep-equal.ts';

/** Refusals that come so soon after each other are of one moment: a server that takes nothing is told of once. */
const momentMs = 3000;

/**
 * Says what the server did not do, and why; the screen shows it as it was already. What was done is no longer there to be
 * taken back then. `appOf` is asked when it is needed: the session comes first.
 */
export function tellRefusals(appOf: () => App): (refusal: Refusal) => void {
  const refused = new WeakSet<UndoStep>();
  let [count, lastAt] = [0, Number.NEGATIVE_INFINITY];
  return (refusal) => {
    const app = appOf();
    // A part of it may be done, and can be taken back.
    if (refusal.action.kind === 'oldRead') {
      app.toast(olderProblem(refusal.problem), 'error');
      return;
    }
    const done = withdraw(app, refusal, refused);
    const now = app.clock.now();
    count = now - lastAt < momentMs ? count + 1 : 1;
    lastAt = now;
    const what = count > 1 ? `${count} changes` : (done?.label ?? nameOf(refusal.action));
    app.toast(`Refused by the server: ${what} · ${refusal.problem}`, 'error');
  };
}

/** Said of what takes many requests. */
export function olderProblem(problem: string): string {
  return `Not all of what is older was marked read: ${problem}`;
}

/** Finds what was done by what would have taken it back. Of several things that were one, those that came about stay. */
function withdraw(app: App, {inverse}: Refusal, refused: WeakSet<UndoStep>): Undoable | undefined {
  const isIt = (step: UndoStep) => step.kind === 'deed' && !refused.has(step) && equal(step.inverse, inverse);
  for (const done of app.undoStack.list()) {
    const {kept} = done;
    const step = kept?.steps.find(isIt);
    if (kept === undefined || step === undefined) continue;
    refused.add(step);
    const left = kept.steps.filter((one) => !refused.has(one));
    if (left.some(({kind}) => kind === 'deed')) return done;
    // What was put off is so again: it is unread, as it was.
    takeBack(app, {...kept, steps: left});
    forgetAct(app, done);
    app.undoStack.cancel(done, withNext(app, `The server had refused it: ${kept.label}`));
    return done;
  }
  return undefined;
}

/** For what nobody can take back by a key: the reading of what was on the screen, settings. */
function nameOf(action: WaitingAction): string {
  switch (action.kind) {
    case 'flags': {
      const what = action.ids.length === 1 ? 'a message' : `${action.ids.length} messages`;
      const [add, remove] = flagWords[action.flag];
      return `marking ${what} ${action.op === 'add' ? add : remove}`;
    }
    case 'reaction':
      return 'a reaction';
    default:
      return 'a change of your settings';
  }
}

const flagWords = {
  read: ['read', 'unread'],
  starred: ['with a star', 'without a star'],
  collapsed: ['collapsed', 'expanded'],
} as const;
