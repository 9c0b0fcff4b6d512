import {activateFormRow, changeSideways, stepInForm, toggleOrOpen} from '#ui/forms/edit-form.ts';
import {moveFormFocus} from '#ui/forms/open-form.ts';
import {closeAndKeepForm, discardFormChanges, saveForm} from '#ui/forms/save-form.ts';
import type {Command} from './command.ts';

const formCommand = (id: string, title: string, run: Command['run'], more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['form'],
  isKeyOnly: true,
  ...more,
  run,
});

export const formCommands: readonly Command[] = [
  formCommand(
    'form.next',
    'Next field',
    (app, press) => (press?.key.name === 'Tab' ? moveFormFocus(app, 1) : stepInForm(app, 1)),
    {hint: 'next', hints: {form: 2}},
  ),
  formCommand('form.prev', 'Previous field', (app, press) =>
    press?.key.name === 'Tab' ? moveFormFocus(app, -1) : stepInForm(app, -1),
  ),
  formCommand('form.activate', 'Choose, or go to the next field', activateFormRow, {hint: 'choose', hints: {form: 3}}),
  formCommand('form.toggle', 'Turn on or off, or show the choices', (app) => toggleOrOpen(app)),
  formCommand('form.left', 'Previous choice, or move left', (app) => changeSideways(app, -1)),
  formCommand('form.right', 'Next choice, or move right', (app) => changeSideways(app, 1)),
  formCommand('form.save', 'Save the form', saveForm, {aliases: ['submit'], hint: 'save', hints: {form: 1}}),
  formCommand('form.discard', 'Discard unsaved changes', discardFormChanges, {
    aliases: ['revert', 'reset'],
    hint: 'discard',
    hints: {form: 5},
  }),
  formCommand('form.close', 'Close the form; changes are kept', closeAndKeepForm, {hint: 'close', hints: {form: 4}}),
];
