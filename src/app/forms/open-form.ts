import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/picker.ts';
import {failureReason, recordPermanent, requestFromServer, unknownResultText} from '#app/requests/server-request.ts';
import {composed} from '#std/composed-text.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {Form, FormAction, FormEdit, FormProgress, FormState, FormValue, FormValues} from '#ui/core/form.ts';
import {laidOutForm} from '#ui/forms/form-lines.ts';
import {type FormView, focusedRow, formView, isFocusable, openedForm, sameValue} from '#ui/forms/form-view.ts';
import {isUncertain} from '#wire/failure.ts';

/**
 * Opens a form, with the focus on a field if it is named. Changes that were not saved when the same form was closed are there
 * again.
 */
export function openForm<V extends FormValues>(app: App, form: Form<V>, focus?: string): void {
  const {rows, edits} = formView(app.frame, form);
  const first = rows.find((row) => row.kind === 'field' && row.field.disabled === undefined) ?? rows.find(isFocusable);
  app.openOverlay({
    kind: 'form',
    form,
    focus: focus ?? first?.key ?? '',
    input: undefined,
    top: 0,
    isRestored: Object.keys(edits).length > 0,
    progress: {kind: 'idle'},
  });
  // Scrolls to the field.
  changeForm(app, {});
}

/** Changes the open form, and scrolls it so that the row with the focus stays visible. */
export function changeForm(app: App, fields: Partial<FormState>): void {
  const open = openedForm(app);
  if (open === undefined) return;
  app.changeOverlay({...open, ...fields});
  const changed = openedForm(app);
  if (changed === undefined) return;
  const {top} = laidOutForm(app.frame, changed);
  if (top !== changed.top) app.changeOverlay({...changed, top});
}

/** Moves the focus by rows that can have it. A single step wraps around at the ends. */
export function moveFormFocus(app: App, by: number): void {
  const open = openedForm(app);
  if (open === undefined) return;
  const view = formView(app.frame, open.form);
  const keys = view.rows.filter(isFocusable).map(({key}) => key);
  const at = keys.indexOf(focusedRow(view, open)?.key ?? '') + by;
  const isStep = Math.abs(by) === 1;
  const next = isStep ? (at + keys.length) % keys.length : Math.max(0, Math.min(keys.length - 1, at));
  focusFormRow(app, keys[next]);
}

export function focusFormRow(app: App, key: string | undefined): void {
  if (key !== undefined) changeForm(app, {focus: key, input: undefined});
}

/** Moves the focus by about one page. */
export function pageInForm(app: App, step: 1 | -1): void {
  const open = openedForm(app);
  if (open === undefined) return;
  moveFormFocus(app, step * Math.max(2, laidOutForm(app.frame, open).bodyRows - 2));
}

/** Sets the value of a field. The initial value is no change. */
export function setFieldValue(app: App, form: Form, key: string, value: FormValue): void {
  const {initial} = formView(app.frame, form);
  setFieldEdit(app, form, key, sameValue(value, initial[key]) ? undefined : {value});
}

/** Replaces the unsaved change of a field; undefined removes it. */
export function setFieldEdit(app: App, form: Form, key: string, edit: FormEdit | undefined): void {
  app.update((screen) => {
    const {[key]: _, ...others} = screen.formEdits.get(form.id) ?? {};
    const edits = edit === undefined ? others : {...others, [key]: edit};
    const formEdits = new Map(screen.formEdits);
    if (Object.keys(edits).length === 0) formEdits.delete(form.id);
    else formEdits.set(form.id, edits);
    // A refusal is about values that were sent, not about the new one.
    const overlays = screen.overlays.map((open) =>
      open.kind === 'form' && open.form.id === form.id && open.progress.kind === 'refused'
        ? {...open, progress: {kind: 'idle'} as const}
        : open,
    );
    return {...screen, formEdits, overlays};
  });
}

/** Removes all unsaved changes of a form. */
function discardFormEdits(app: App, formId: string): void {
  app.update((screen) => {
    if (!screen.formEdits.has(formId)) return screen;
    const formEdits = new Map(screen.formEdits);
    formEdits.delete(formId);
    return {...screen, formEdits};
  });
}

/** Saves the open form. Without changes it only closes. */
export function saveForm(app: App): void {
  const open = openedForm(app);
  if (open === undefined || open.progress.kind === 'saving') return;
  const {form} = open;
  const view = formView(app.frame, form);
  if (view.changed.length === 0 && form.isNew !== true) {
    discardFormEdits(app, form.id);
    app.closeOverlay();
    return;
  }
  const problem = firstProblem(app, view);
  if (problem !== undefined) {
    changeForm(app, {...problem, input: undefined});
    return;
  }
  const changes: FormValues = Object.fromEntries(view.changed.map(({key}) => [key, view.values[key] ?? null]));
  const {edits, values, initial} = view;
  changeForm(app, {progress: {kind: 'saving'}});
  const {pushCount} = app.undoStack;
  const answered = app.undoStack.awaitAnswer();
  form.save(app, changes, values, initial).then(
    (text) => {
      if (app.screen.formEdits.get(form.id) === edits) discardFormEdits(app, form.id);
      closeForm(app, form);
      answered(() => recordPermanent(app, text, {pushCount}));
      app.undoStack.setRedo(pushCount, () => saveAgain(app, form, [changes, values, initial]));
      if (text !== undefined) app.toast(text);
    },
    (error: unknown) => answered(() => showRefusal(app, form, error, Object.keys(changes))),
  );
}

/** Redoes a save that was undone. */
function saveAgain(app: App, form: Form, saved: readonly [FormValues, FormValues, FormValues]): undefined {
  const {pushCount} = app.undoStack;
  requestFromServer(app, {
    progressText: composed`Redoing: ${form.title}…`,
    send: async () => form.save(app, ...saved),
    doneText: (text) => {
      app.undoStack.setRedo(pushCount, () => saveAgain(app, form, saved));
      return text;
    },
    failureText: 'Not redone',
    isRecorded: true,
  });
}

/** Returns the first reason why the form cannot be sent, with the focus on the field. */
function firstProblem(app: App, view: FormView): Pick<FormState, 'progress'> | undefined {
  const refused = (reason: string, field: string | undefined) => ({
    progress: {kind: 'refused', reason, field} as const,
    ...(field !== undefined && {focus: field}),
  });
  const session = changeProblem(app);
  if (session !== undefined) return refused(session, undefined);
  for (const row of view.rows) {
    if (row.kind !== 'field' || !(row.isChanged || view.form.isNew === true)) continue;
    if (row.problem !== undefined) return refused(row.problem, row.key);
  }
  return undefined;
}

/** Closes this form, wherever it is in the stack. */
function closeForm(app: App, form: Form): void {
  if (openedForm(app)?.form === form) {
    app.closeOverlay();
    return;
  }
  const isOther = (open: (typeof app.screen.overlays)[number]) => open.kind !== 'form' || open.form !== form;
  app.update((screen) => ({...screen, overlays: screen.overlays.filter(isOther)}));
}

/** Shows why the server refused: in the form, or in a toast if it was closed meanwhile. */
function showRefusal(app: App, form: Form, error: unknown, keys: readonly string[]): void {
  const problem = failureReason(error);
  const reason = problem !== undefined && isUncertain(error) ? unknownResultText(problem) : problem;
  const [only, ...others] = keys;
  const field = form.errorField?.(error) ?? (others.length === 0 ? only : undefined);
  const isOpen = app.screen.overlays.some((open) => open.kind === 'form' && open.form === form);
  if (!isOpen) {
    if (reason !== undefined) app.toast(composed`${form.title}: ${reason}`, 'error');
    return;
  }
  const progress = progressAfter(error, reason, field);
  app.update((screen) => ({
    ...screen,
    overlays: screen.overlays.map((open) =>
      open.kind === 'form' && open.form === form
        ? {...open, progress, ...(field !== undefined && {focus: field})}
        : open,
    ),
  }));
  changeForm(app, {});
}

function progressAfter(error: unknown, reason: string | undefined, field: string | undefined): FormProgress {
  if (reason === undefined) return {kind: 'idle'};
  return isUncertain(error) ? {kind: 'unknown', reason} : {kind: 'refused', reason, field};
}

export function discardFormChanges(app: App): void {
  const open = openedForm(app);
  if (open === undefined || open.progress.kind === 'saving') return;
  discardFormEdits(app, open.form.id);
  changeForm(app, {input: undefined, isRestored: false, progress: {kind: 'idle'}});
}

/** Runs an action of the form, after a confirmation if it wants one. */
export function runFormAction(app: App, action: FormAction): void {
  if (openedForm(app)?.progress.kind === 'saving') return;
  if (action.disabled !== undefined) app.toast(action.disabled, 'warning');
  else if (action.id === 'save') saveForm(app);
  else if (action.id === 'discard') discardFormChanges(app);
  else if (action.confirm === undefined) action.run(app);
  else confirm(app, {...action.confirm, onYes: () => action.run(app)});
}

/** Closes the form; what was typed is kept. */
export function closeAndKeepForm(app: App): void {
  const open = openedForm(app);
  if (open === undefined) return;
  const {changed} = formView(app.frame, open.form);
  app.closeOverlay();
  if (changed.length > 0 && open.progress.kind !== 'saving')
    app.toast({text: 'Not saved', hint: 'open it again to continue'});
}

/** Returns what the changed fields were before. */
export function valuesBefore<V extends FormValues>(changes: Partial<V>, before: V): Partial<V> {
  return Object.fromEntries(Object.keys(changes).map((key) => [key, before[key]])) as Partial<V>;
}
