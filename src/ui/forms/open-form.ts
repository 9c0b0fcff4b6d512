import type {App} from '#ui/core/app.ts';
import type {Form, FormEdit, FormState, FormValue, FormValues} from '#ui/core/form.ts';
import {laidOutForm} from './form-layout.ts';
import {focusedRow, formView, isFocusable, openedForm, sameValue} from './form-view.ts';

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
export function discardFormEdits(app: App, formId: string): void {
  app.update((screen) => {
    if (!screen.formEdits.has(formId)) return screen;
    const formEdits = new Map(screen.formEdits);
    formEdits.delete(formId);
    return {...screen, formEdits};
  });
}
