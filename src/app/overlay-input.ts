import {isIn, type PartInput, type TextInput} from '#app/core/part-input.ts';
import {changeFormText, clickForm, isTypingInForm} from '#app/forms/edit-form.ts';
import {moveFormFocus} from '#app/forms/open-form.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {changePickerField, clickPickerRow, movePickerBy} from '#app/overlays/picker.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {overlayRect} from '#ui/overlay-position.ts';
import {pickerRowAt} from '#ui/overlays/picker-lines.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {safePastedText} from '#ui/text/paste.ts';
import {insert} from '#ui/text/text-field.ts';

const pickerText: TextInput = {
  kind: 'picker',
  isTyped: (app) => {
    const open = openedPicker(app);
    return open !== undefined && open.picker.isMenu !== true;
  },
  insert: (app, text) => changePickerField(app, (field) => insert(field, text)),
  edit: changePickerField,
};

const formText: TextInput = {
  kind: 'form',
  isTyped: isTypingInForm,
  insert: (app, text) => changeFormText(app, (field) => insert(field, text)),
  edit: changeFormText,
  paste: (app, text) => changeFormText(app, (field) => insert(field, safePastedText(text))),
};

/** The picker, card or form on top. While one is open, no other part has the mouse or typed text. */
export const overlayInput: PartInput = {
  isAt: ({screen}) => screen.overlays.length > 0,
  click: (app, {cell}) => {
    const isInside = isIn(overlayRect(app.frame), cell);
    const row = isInside ? pickerRowAt(app.frame, cell) : undefined;
    if (row !== undefined) clickPickerRow(app, row);
    else if (!isInside) app.closeOverlay();
    else if (openedForm(app) !== undefined) clickForm(app, cell.y);
  },
  wheel: (app, step) => {
    if (openedPicker(app) !== undefined) movePickerBy(app, step);
    else if (openedForm(app) !== undefined) moveFormFocus(app, step);
    else scrollCard(app, step);
  },
  texts: [pickerText, formText],
};
