import type {App} from '#app/core/app.ts';
import {olderReadProblem} from '#app/triage/mark-older-read.ts';
import {forgetTriageAction, noOpUndoText} from '#app/triage/perform-row-action.ts';
import {applyUndoRecord} from '#app/undo/perform-undoable.ts';
import type {UndoStep} from '#app/undo/undo-record.ts';
import type {Undoable} from '#app/undo/undo-stack.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import type {RefusedChange} from '#state/pending-changes/pending-change-sender.ts';
import {composed} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {countedNoun} from '#wording/counted-noun.ts';

/** Refusals within this time are reported together, so that a server that refuses everything causes one toast. */
const batchMs = 3000;

/**
 * Reports changes that the server refused; the screen has already reverted them. The action leaves the undo
 * history. `getApp` is called late, because the session is created before the app.
 */
export function reportRefusals(getApp: () => App): (refusal: RefusedChange) => void {
  const refused = new WeakSet<UndoStep>();
  let [count, lastAt] = [0, Number.NEGATIVE_INFINITY];
  return (refusal) => {
    const app = getApp();
    // Some of the messages may be marked read, and that can be undone.
    if (refusal.action.kind === 'oldRead') {
      app.toast(olderReadProblem(refusal.problem), 'error');
      return;
    }
    const undoable = removeRefusedAction(app, refusal, refused);
    const now = app.clock.monotonic();
    count = now - lastAt < batchMs ? count + 1 : 1;
    lastAt = now;
    const what = count > 1 ? `${count} changes` : (undoable?.label ?? actionName(refusal.action));
    app.toast({text: `Refused by the server: ${what}`, hint: refusal.problem}, 'error');
  };
}

/**
 * Finds the action of a refused change by its inverse, and removes it from the undo history once all its
 * changes are refused.
 */
function removeRefusedAction(app: App, {inverse}: RefusedChange, refused: WeakSet<UndoStep>): Undoable | undefined {
  const isRefusedStep = (step: UndoStep) =>
    step.kind === 'change' && !refused.has(step) && deepEqual(step.inverse, inverse);
  for (const undoable of app.undoStack.list()) {
    const {record} = undoable;
    const step = record?.steps.find(isRefusedStep);
    if (record === undefined || step === undefined) continue;
    refused.add(step);
    const remaining = record.steps.filter((one) => !refused.has(one));
    if (remaining.some(({kind}) => kind === 'change')) return undoable;
    // Restores the snooze that the action ended: the conversation is unread again.
    applyUndoRecord(app, {...record, steps: remaining});
    forgetTriageAction(app, undoable);
    app.undoStack.cancel(undoable, noOpUndoText(composed`The server refused: ${record.label}`));
    return undoable;
  }
  return undefined;
}

/** Shows in a banner that nothing can be written to disk, and saves the composer's text when it can be written again. */
export function watchWriteProblem(app: App, displayDirectory: (path: string) => string): void {
  const {store} = app.session.context;
  const update = () => {
    const {writeProblem: problem} = store;
    app.set({writeProblem: problem && {directory: displayDirectory(problem.path), cause: problem.cause}});
    if (problem === undefined) app.composerPersistence.flush();
  };
  app.onEnd(store.onWriteProblem(update));
  if (store.writeProblem !== undefined) update();
}

/** Returns what would be lost if the program ended now, such as `2 unsent messages and 1 draft`; undefined when nothing would. */
export function unkeptText(app: App): string | undefined {
  app.composerPersistence.flush();
  if (app.screen.writeProblem === undefined) return undefined;
  const {outbox, localDrafts} = app.state;
  const isUnsaved = app.composerPersistence.isUnsaved && app.screen.composer.field.text.trim() !== '';
  const counts: readonly (readonly [number, string])[] = [
    [outbox.filter(({status}) => status !== 'sent').length, 'unsent message'],
    [localDrafts.filter(({status}) => status === 'dirty').length + (isUnsaved ? 1 : 0), 'draft'],
    [app.session.pendingChanges.pendingActions().length, 'unsent change'],
  ];
  const texts = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countedNoun(count, noun)]));
  return texts.length === 0 ? undefined : texts.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

const flagTexts = {
  read: ['read', 'unread'],
  starred: ['starred', 'unstarred'],
  collapsed: ['collapsed', 'expanded'],
} as const;

type OtherKind = Exclude<PendingAction['kind'], 'flags'>;

const names: Readonly<Record<OtherKind, string>> = {
  reaction: 'a reaction',
  pollVote: 'a vote',
  topicPolicy: 'muting or following a topic',
  subscription: 'a setting of a channel',
  setting: 'a change of your settings',
  status: 'your status',
  mutedUser: 'muting a user',
  alertWords: 'your alert words',
  navigationView: 'a pinned view',
  fullName: 'your name',
  profileField: 'your profile',
  oldRead: 'marking older messages read',
};

/** Returns a name for a change that the server has not confirmed. */
export function actionName(action: PendingAction): string {
  if (action.kind !== 'flags') return names[action.kind];
  const what = action.ids.length === 1 ? 'a message' : `${action.ids.length} messages`;
  const [add, remove] = flagTexts[action.flag];
  return `marking ${what} ${action.op === 'add' ? add : remove}`;
}
