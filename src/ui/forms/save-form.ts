import {isUncertain} from '#state/lost-responses.ts';
import {changeProblem, failureReason, recordPermanent, unknownResultText} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormAction, FormProgress, FormState, FormValues} from '#ui/core/form.ts';
import {confirm} from '#ui/overlays/confirm.ts';
import {type FormView, formView, openedForm} from './form-view.ts';
import {changeForm, discardFormEdits} from './open-form.ts';

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
  const {edits, values} = view;
  changeForm(app, {progress: {kind: 'saving'}});
  const {pushCount} = app.undoStack;
  form.save(app, changes, values).then(
    (text) => {
      if (app.screen.formEdits.get(form.id) === edits) discardFormEdits(app, form.id);
      closeForm(app, form);
      recordPermanent(app, text, {pushCount});
      if (text !== undefined) app.toast(text);
    },
    (error: unknown) => showRefusal(app, form, error, Object.keys(changes)),
  );
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
    if (reason !== undefined) app.toast(`${form.title}: ${reason}`, 'error');
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
  if (changed.length > 0 && open.progress.kind !== 'saving') app.toast('Not saved · open it again to continue');
}
