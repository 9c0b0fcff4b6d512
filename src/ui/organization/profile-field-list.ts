import {removeProfileField, reorderProfileFields} from '#state/actions/organization.ts';
import type {ProfileField} from '#state/state.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openRecordList, type RecordRow} from '#ui/forms/record-list.ts';
import {RecordOrder} from '#ui/forms/record-order.ts';
import {administratorReason} from './organization-rights.ts';
import {profileTypeLabel} from './profile-field-fields.ts';
import {openProfileFieldForm} from './profile-field-form.ts';

const listId = 'profile fields';

/** Opens the list of custom profile fields, to create, change, move and remove them. */
export function openProfileFieldList(app: App): void {
  const order = new RecordOrder({
    listId,
    what: 'profile fields',
    slice: 'profileFields',
    keys: ({profileFields}) => profileFields.toSorted((a, b) => a.order - b.order).map(({id}) => String(id)),
    send: ({session}, keys) => reorderProfileFields(session.context, keys.map(Number)),
  });
  openRecordList(app, {
    id: listId,
    title: 'Custom profile fields',
    empty: 'No profile fields',
    rows: ({account}) => order.sorted(account, account.profileFields.map(fieldRow)),
    add: {
      label: 'New profile field…',
      disabledReason: administratorReason,
      run: (from) => openProfileFieldForm(from, undefined),
    },
    actions: [
      {key: 'Enter', hint: 'edit', isReadOnly: true, run: (from, {key}) => openProfileFieldForm(from, Number(key))},
      {
        key: 'Delete',
        hint: 'remove',
        disabledReason: (_row, frame) => administratorReason(frame),
        confirm: ({label}) => ({
          title: `Remove the profile field ${label}?`,
          yes: 'Remove',
          detail: 'with what all users have written in it, for ever',
        }),
        run: (from, {key, label}) =>
          requestFromServer(from, {
            send: () => removeProfileField(from.session.context, Number(key)),
            doneText: () => `Removed the profile field ${label}`,
            failureText: `${label} was not removed`,
          }),
      },
    ],
    move: (from, row, step) => order.move(from, row, step),
    moveProblem: administratorReason,
  });
}

function fieldRow({id, name, type, displayInProfileSummary, required, editableByUser}: ProfileField): RecordRow {
  const notes = [
    profileTypeLabel(type).toLowerCase(),
    ...(displayInProfileSummary === true ? ['in the summary'] : []),
    ...(required === true ? ['required'] : []),
    ...(editableByUser === false ? ['filled in by administrators'] : []),
  ];
  return {key: String(id), label: name, detail: notes.join(' · ')};
}
