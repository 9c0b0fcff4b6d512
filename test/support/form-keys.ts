import {expect} from 'vitest';
import type {App} from '#app/core/app.ts';
import {formView, openedForm} from '#ui/forms/form-view.ts';

/** Returns a function that moves the focus of the open form to the field or action with this label. */
export function goToField(app: App, press: (...keys: string[]) => void): (label: string) => void {
  const focused = () => {
    const open = openedForm(app);
    const rows = open === undefined ? [] : formView(app.frame, open.form).rows;
    const row = rows.find(({key}) => key === open?.focus);
    return row?.kind === 'action' ? row.action.label : row?.field.label;
  };
  return (label) => {
    for (let step = 0; step < 60 && focused() !== label; step++) press('Tab');
    expect(focused()).toBe(label);
  };
}
