/*
 * The undo history of an account.
 *
 * Everything that the user does is an action in the stack (`Undoable`), also what cannot be undone: undo then says why, and never
 * undoes something older instead. An action has a record (`undo-record.ts`): plain data that is written with the change or before
 * it (`persisted-undo-store.ts`), so that undo works after a crash and in the next program run. A record has steps, each of which
 * takes back one part of the action:
 *
 *   change                            the inverse of a pending change: shown at once, sent when possible (`perform-undoable.ts`)
 *   snooze                            the snoozes of conversations as they were
 *   sent, send, edit, move, widget    a request, the only step of its record. Features hand in what carries it out
 *                                     (`request-steps.ts`, `app-features.ts`)
 *
 * Steps run in reverse: what was done last is taken back first, because a part may depend on those before it. An action that marks
 * a snoozed conversation read has the snooze as its first step and the messages after it. So the messages are unread again before
 * the snooze is restored; in the order of the action, the snooze would be dropped at once, because nothing is unread there.
 *
 * Each step that ran returns its inverse. Put in reverse once more, these are the steps that redo the action in its own order
 * (`redo-stack.ts`). A request that an undo or redo sends reports its end to the action (`Reversal`): if it fails, the action
 * goes back to where it was. `undo.ts` has the keys and the list of the history.
 */

import {copyUndoGroup, joinUndoGroup} from '#app/core/undo-group.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {composed} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {errorText} from '#std/error-text.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {
  type Redoable,
  type RedoResult,
  RedoStack,
  type RedoStore,
  type Reversal,
  type RunningReversal,
} from './redo-stack.ts';
import type {UndoRecord, UndoStep} from './undo-record.ts';

/** A question before an undo that is permanent itself. */
export interface UndoQuestion {
  readonly title: string;
  /** The label of the confirming row. */
  readonly yes: string;
  readonly detail?: string;
}

/** An action in the undo history. */
export interface Undoable {
  /** Past tense, for the user: `Marked #backend › deploy read (4)`. */
  readonly label: string;
  /** Undoes the action; returns undefined when nothing is left to undo. Throws when that fails. */
  readonly undo: () => string | Undone | undefined;
  /**
   * Does the action again after it was undone, and puts it into the history again. Returns the text to show, if it shows none
   * itself. Without it, the steps that `undo` returned are carried out.
   */
  readonly redo?: (() => string | ToastMessage | undefined) | undefined;
  /**
   * Undoes a second action with the same key, after the cursor has returned; returns the text for both if it
   * still applies.
   */
  readonly undoAlso?: (() => string | undefined) | undefined;
  /** What is saved of the action. The undo stack adds one where the caller has none. */
  readonly record?: UndoRecord | undefined;
  /** The conversations in which a key changed nothing: undo moves the cursor there and changes nothing. */
  readonly noOpKeys?: readonly ConversationKey[] | undefined;
}

/** The text to show after an undo. */
export interface Undone extends ToastMessage {
  /** What redoes the action. */
  readonly redoSteps?: readonly UndoStep[] | undefined;
}

/** Persists the undo history. */
export interface UndoStore extends RedoStore {
  /**
   * Returns the key-value entries that persist the record, to be written together with the change itself.
   * `save` writes them if the caller did not ask for them.
   */
  valuesToPersist(record: UndoRecord): ReadonlyMap<string, string>;
  save(action: Undoable): void;
  /** Removes an action that was undone, redone or is too old. */
  remove(action: Pick<Undoable, 'record'>): void;
  /** Returns the actions of earlier program runs, latest last. */
  loadEarlier(): readonly Undoable[];
  /** Returns a record without steps. */
  newRecord(label: string, problem?: string): UndoRecord;
  /** Returns the action whose undo runs the steps of the record. */
  undoableOf(record: UndoRecord): Undoable;
  /** Returns the reason why the action cannot be undone now. */
  undoProblem(action: Undoable): string | undefined;
  /** Returns what to ask before the action is undone. */
  undoQuestion(action: Undoable): UndoQuestion | undefined;
}

interface UndoResult {
  /** The text to show. */
  readonly resultText: string | ToastMessage;
  /** Undefined when nothing was undone. */
  readonly undone: Undoable | undefined;
  /** Whether it can be redone already: not while the server has not confirmed the undo. */
  readonly canRedo?: boolean;
}

const maxActions = 200;
/** Passive actions must not displace what the user did. */
const maxPassive = 50;

/** The order in which the actions of all accounts were done in this program run. */
const pushOrder = new WeakMap<Undoable, number>();
let pushes = 0;

/** Whether an action was done after another one, perhaps in another account. Those of earlier program runs come first. */
export function isDoneAfter(action: Undoable, other: Undoable): boolean {
  return (pushOrder.get(action) ?? 0) > (pushOrder.get(other) ?? 0);
}

/** Returns the action that takes the place of another one. */
function inPlaceOf(before: Undoable, action: Undoable): Undoable {
  pushOrder.set(action, pushOrder.get(before) ?? 0);
  copyUndoGroup(before, action);
  return action;
}

function isActive({record}: Undoable): boolean {
  return record?.isPassive !== true;
}

/** What the user did, latest last: also what cannot be undone, so that undo never skips it and undoes something older. */
export class UndoStack {
  readonly #actions: Undoable[] = [];
  readonly #store: UndoStore;
  readonly #redoStack: RedoStack;
  readonly #onNewAction: () => void;
  #hasLoadedEarlier = false;
  #running: RunningReversal | undefined;
  #pushCount = 0;
  /** The places, in the order of all actions, of changes that the server has not answered. */
  readonly #unanswered = new Set<number>();
  /** The place of the change whose answer is being recorded: that of its beginning. */
  #answeredOrder: number | undefined;

  /** `onNewAction` runs when the user did something that is not undone or redone. */
  constructor(store: UndoStore, onNewAction: () => void = () => {}) {
    this.#store = store;
    this.#onNewAction = onNewAction;
    this.#redoStack = new RedoStack(store);
  }

  /**
   * Returns the entries to write in the same transaction as the change, so that every change can be undone
   * however the program ends.
   */
  valuesToPersist(record: UndoRecord): ReadonlyMap<string, string> {
    return this.#store.valuesToPersist(record);
  }

  /** Whether there is an action to undo, those of earlier program runs not counted before they are loaded. */
  get canUndo(): boolean {
    return this.#actions.some(isActive);
  }

  /** Whether there is something to redo, in the same sense. */
  get canRedo(): boolean {
    return this.#redoStack.canRedo;
  }

  /** Makes what was undone before no longer redoable. */
  forgetUndone(): void {
    this.#redoStack.forget();
  }

  push(action: Undoable): void {
    if (action.noOpKeys === undefined && !this.#redoStack.isRedoing) {
      this.forgetUndone();
      this.#onNewAction();
    }
    const isComplete = action.record !== undefined || action.noOpKeys !== undefined;
    const added = isComplete ? action : {...action, record: this.#store.newRecord(action.label)};
    this.#actions.push(added);
    pushOrder.set(added, this.#answeredOrder ?? ++pushes);
    joinUndoGroup(added);
    this.#pushCount += 1;
    this.#store.save(added);
    const active = this.#actions.filter(isActive);
    if (active.length > maxActions) this.#remove(active[0] ?? added);
  }

  /** Adds an action whose undo runs the steps of the record. */
  pushRecord(record: UndoRecord): void {
    this.push(this.#store.undoableOf(record));
  }

  /** Adds an action that one step undoes. */
  pushStep(label: string, step: UndoStep, place?: string): void {
    this.pushRecord({...this.#store.newRecord(label), place, steps: [step]});
  }

  /**
   * Adds an action that only the history offers, in this program run, or also later if it `isKept`. It takes the place of
   * `previous`.
   */
  pushPassive(record: UndoRecord, previous?: Undoable, isKept = false): Undoable {
    const action = this.#store.undoableOf({...record, isPassive: true});
    const at = previous === undefined ? -1 : this.#actions.lastIndexOf(previous);
    if (at >= 0) this.#actions.splice(at, 1, action);
    else this.#actions.push(action);
    if (isKept) this.#store.save(action);
    if (previous !== undefined) this.#store.remove(previous);
    const passive = this.#actions.filter((one) => !isActive(one));
    if (passive.length > maxPassive) this.#remove(passive[0] ?? action);
    return action;
  }

  includes(action: Undoable): boolean {
    return this.#actions.includes(action);
  }

  /** Adds an action that cannot be undone. */
  pushPermanent(
    label: string,
    {problem = composed`Cannot be undone: ${label}`, place}: Partial<UndoRecord> = {},
  ): void {
    this.pushRecord({...this.#store.newRecord(label, problem), place});
  }

  /**
   * Adds a step for a key that changed nothing. A user who presses undo after such a key means that key, not
   * the action before it. `resultText` receives the action that undo would undo next.
   */
  pushNoOp(noOpKeys: readonly ConversationKey[], resultText: (next: Undoable | undefined) => ToastMessage): void {
    const latest = this.#actions.findLast(isActive)?.noOpKeys;
    if (latest !== undefined && deepEqual(latest, noOpKeys)) return;
    this.push({label: resultText(undefined).text, noOpKeys, undo: () => resultText(this.list().filter(isActive)[1])});
  }

  /** Adds a step for a change whose result is not known yet: undo says that. Returns what removes it. */
  pushUnknown(problem: string): () => void {
    const refuse = () => {
      throw new Error(problem);
    };
    const step: Undoable = {label: problem, noOpKeys: [], undo: refuse};
    this.push(step);
    return () => {
      if (!this.includes(step)) return;
      this.#remove(step);
      this.#pushCount -= 1;
    };
  }

  /**
   * Replaces an action that failed by a step that changes nothing. A user who presses undo means that action:
   * undo reports the failure, and no older action is undone instead.
   */
  cancel(action: Undoable, resultText: (next: Undoable | undefined) => ToastMessage): void {
    const at = this.#actions.lastIndexOf(action);
    if (at < 0) return;
    const {label, record} = action;
    const nothing: Undoable = {
      label,
      noOpKeys: record?.keys ?? [],
      undo: () => resultText(this.list().filter(isActive)[1]),
    };
    this.#actions.splice(at, 1, inPlaceOf(action, nothing));
    this.#store.remove(action);
  }

  /** Returns the action that the undo key undoes. */
  latest(): Undoable | undefined {
    if (!this.canUndo) this.#loadEarlier();
    return this.#actions.findLast(isActive);
  }

  /** Returns what to ask before the action is undone, if it can be. */
  questionFor(action: Undoable): UndoQuestion | undefined {
    return this.#problemOf(action) === undefined ? this.#store.undoQuestion(action) : undefined;
  }

  /** Returns the actions, latest first. */
  list(): readonly Undoable[] {
    this.#loadEarlier();
    return this.#actions.toReversed();
  }

  /** Returns the messages by which the actions of this program run find their conversations. */
  nearMessageIds(): readonly number[] {
    return [...this.#actions, ...this.#redoStack.known].flatMap(({record}) => [
      ...(record?.near ?? []),
      ...(record?.steps ?? []).flatMap((step) =>
        step.kind === 'change' && step.near !== undefined ? [step.near] : [],
      ),
    ]);
  }

  /** The number of actions that were pushed in this program run. */
  get pushCount(): number {
    return this.#pushCount;
  }

  /** Whether the latest change in these accounts waits for the server: the latest action is an older one. */
  static isLatestUnanswered(stacks: readonly UndoStack[]): boolean {
    const latest = Math.max(...stacks.map((stack) => stack.#latestOrder));
    return stacks.some((stack) => [...stack.#unanswered].some((order) => order > latest));
  }

  get #latestOrder(): number {
    const latest = this.canUndo ? this.latest() : undefined;
    return (latest && pushOrder.get(latest)) ?? 0;
  }

  /** Notes a change that goes into the history once the server has answered: by `record`, which the returned function runs then. */
  awaitAnswer(): <T>(record: () => T) => T {
    const order = ++pushes;
    this.#unanswered.add(order);
    return (record) => {
      this.#unanswered.delete(order);
      this.#answeredOrder = order;
      try {
        return record();
      } finally {
        this.#answeredOrder = undefined;
      }
    };
  }

  /** Makes `redo` what redoes the action that was pushed last, if it was pushed after `pushCount` and has no steps. */
  setRedo(pushCount: number, redo: NonNullable<Undoable['redo']>): void {
    const action = this.#actions.at(-1);
    if (action === undefined || this.#pushCount === pushCount || action.redo !== undefined) return;
    if (action.noOpKeys !== undefined || (action.record?.steps ?? []).length > 0) return;
    this.#actions.splice(-1, 1, inPlaceOf(action, {...action, redo}));
  }

  /**
   * Returns the undo or redo that is running, for the caller to report its end: a request that is sent while it runs undoes or
   * redoes something. Undefined when none is.
   */
  awaitReversal(): Reversal | undefined {
    if (this.#running !== undefined) this.#running.isAwaited = true;
    return this.#running;
  }

  /**
   * Undoes one action, wherever it is in the history. If that fails, the action stays where it is: no older one is undone
   * instead.
   */
  undoOne(action: Undoable): UndoResult {
    const problem = this.#problemOf(action);
    if (problem !== undefined) return {resultText: problem, undone: undefined};
    let redoable: Redoable | undefined;
    const running: RunningReversal = {
      isUndo: true,
      isAwaited: false,
      confirm: () => redoable && this.#redoStack.confirm(redoable),
      fail: () => {
        if (redoable !== undefined) this.#redoStack.remove(redoable);
        this.#restore(action);
      },
    };
    this.#running = running;
    try {
      const undone = action.undo();
      this.#remove(action);
      if (undone === undefined) return {resultText: composed`Nothing is left to undo: ${action.label}`, undone: action};
      const {redoSteps, ...message} = typeof undone === 'string' ? {text: undone} : undone;
      const resultText = typeof undone === 'string' ? undone : message;
      if (action.noOpKeys === undefined) {
        redoable = this.#redoStack.push(action, running.isAwaited, redoSteps);
        copyUndoGroup(action, redoable);
      }
      const canRedo = redoable !== undefined && redoable.record.problem === undefined && !running.isAwaited;
      return {resultText, undone: action, canRedo};
    } catch (error) {
      return {resultText: `Could not undo: ${errorText(error)}`, undone: undefined};
    } finally {
      this.#running = undefined;
    }
  }

  /** Returns what can be redone, what was undone last first. */
  undoneList(): readonly Redoable[] {
    return this.#redoStack.list();
  }

  /** Returns what to ask before the redo, if it is possible. */
  redoQuestionFor(redoable: Redoable): UndoQuestion | undefined {
    return this.#redoStack.questionFor(redoable);
  }

  /** Redoes one undone action. If that fails, it can be tried again. */
  redoOne(redoable: Redoable): RedoResult {
    return this.#redoStack.redo(redoable, (running) => {
      this.#running = running;
    });
  }

  /** Puts back an action whose undo the server refused, where it was: by its time. */
  #restore(action: Undoable): void {
    const at = this.#actions.findLastIndex(({record}) => (record?.at ?? 0) <= (action.record?.at ?? 0));
    this.#actions.splice(at + 1, 0, action);
    this.#store.save(action);
  }

  #problemOf(action: Undoable): string | undefined {
    return action.record?.problem ?? this.#store.undoProblem(action);
  }

  #remove(action: Undoable): void {
    const at = this.#actions.lastIndexOf(action);
    if (at >= 0) this.#actions.splice(at, 1);
    this.#store.remove(action);
  }

  /** Loads the actions of earlier program runs, only when the user goes back that far. */
  #loadEarlier(): void {
    if (this.#hasLoadedEarlier) return;
    this.#hasLoadedEarlier = true;
    this.#actions.unshift(...this.#store.loadEarlier());
  }
}
