import {isApiFailure} from '#api/failure.ts';
import type {ProfileFieldChange} from '#state/actions/administration.ts';
import type {ProfileField} from '#state/state.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {RecordOrder} from '#ui/forms/record-order.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {administratorReason} from './organization-rights.ts';
import {
  customAccount,
  optionData,
  optionsFromText,
  type ProfileFieldValues,
  parsedObject,
  profileFieldFields,
  profileTypeLabel,
  readOptions,
} from './profile-field-fields.ts';

/** Opens the form for a custom profile field; `id` is undefined for a new one. */
export function openProfileFieldForm(app: App, id: number | undefined): void {
  const fieldIn = ({account}: Frame) => account.profileFields.find((one) => one.id === id);
  openForm<ProfileFieldValues>(app, {
    id: `profile field ${id ?? 'new'}`,
    title: id === undefined ? 'New profile field' : 'Profile field',
    ...(id === undefined && {isNew: true as const, saveLabel: 'Create the field'}),
    disabledReason: administratorReason,
    initial: (frame) => valuesOf(fieldIn(frame)),
    fields: (frame, values) =>
      id !== undefined && fieldIn(frame) === undefined ? [] : profileFieldFields(frame, values, fieldIn(frame)),
    errorField,
    save: async (from, changes, values) => {
      const before = fieldIn(from.frame);
      return before === undefined ? create(from, values) : change(from, before, changes, values);
    },
  });
}

function valuesOf(field: ProfileField | undefined): ProfileFieldValues {
  const {subtype, url_pattern: urlPattern} = parsedObject(field?.fieldData);
  const options = field?.type === profileFieldTypes.dropdown ? readOptions(field.fieldData) : [];
  return {
    type: field?.type ?? profileFieldTypes.shortText,
    name: field?.name ?? '',
    hint: field?.hint ?? '',
    options: options.map(({text}) => text).join('\n'),
    account: typeof subtype === 'string' ? subtype : customAccount,
    urlPattern: typeof urlPattern === 'string' ? urlPattern : '',
    isInSummary: field?.displayInProfileSummary ?? false,
    isRequired: field?.required ?? false,
    isEditable: field?.editableByUser ?? true,
    isForMatching: field?.useForUserMatching ?? false,
  };
}

const flags = {
  isInSummary: 'display_in_profile_summary',
  isRequired: 'required',
  isEditable: 'editable_by_user',
  isForMatching: 'use_for_user_matching',
} as const satisfies Partial<Record<keyof ProfileFieldValues, keyof ProfileFieldChange>>;

function flagChanges(changes: Partial<ProfileFieldValues>): ProfileFieldChange {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([key, name]) => {
      const value = changes[key as keyof typeof flags];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the data that the type of a field has; undefined if it has none. */
function fieldData(values: ProfileFieldValues, before: ProfileField | undefined): ProfileFieldChange['field_data'] {
  if (values.type === profileFieldTypes.dropdown) {
    return optionData(optionsFromText(values.options, readOptions(before?.fieldData)));
  }
  if (values.type !== profileFieldTypes.externalAccount) return undefined;
  const {account: subtype, urlPattern} = values;
  return subtype === customAccount ? {subtype, url_pattern: urlPattern} : {subtype};
}

async function create(app: App, values: ProfileFieldValues): Promise<ToastMessage> {
  const {context} = app.session;
  const {type, name, hint, account} = values;
  const isNamedByServer = type === profileFieldTypes.externalAccount && account !== customAccount;
  const {id} = await context.api.createProfileField({
    field_type: type,
    ...(!isNamedByServer && {name}),
    ...(!isNamedByServer && hint !== '' && {hint}),
    field_data: fieldData(values, undefined),
    ...flagChanges(values),
  });
  const label = isNamedByServer ? 'Created the profile field' : `Created the profile field ${name}`;
  return undoOffer(app, {
    label,
    undo: () => context.api.removeProfileField({field_id: id}),
    undoneText: 'Removed the profile field',
    failureText: 'The profile field was not removed',
  });
}

async function change(
  app: App,
  before: ProfileField,
  changes: Partial<ProfileFieldValues>,
  values: ProfileFieldValues,
): Promise<ToastMessage> {
  const {context} = app.session;
  const hasData = changes.options !== undefined || changes.account !== undefined || changes.urlPattern !== undefined;
  const data = hasData ? fieldData(values, before) : undefined;
  await context.api.updateProfileField({
    field_id: before.id,
    ...(changes.name !== undefined && {name: changes.name}),
    ...(changes.hint !== undefined && {hint: changes.hint}),
    ...(data !== undefined && {field_data: data}),
    ...flagChanges(changes),
  });
  const label = `Changed the profile field ${values.name}`;
  const removesOptions = readOptions(before.fieldData).some(({key}) => data !== undefined && !Object.hasOwn(data, key));
  // The values of users who had chosen a removed option are gone.
  if (before.type === profileFieldTypes.dropdown && removesOptions) return {text: label};
  const old = valuesOf(before);
  return undoOffer(app, {
    label,
    undo: () =>
      context.api.updateProfileField({
        field_id: before.id,
        ...(changes.name !== undefined && {name: old.name}),
        ...(changes.hint !== undefined && {hint: old.hint}),
        ...(data !== undefined && {field_data: parsedObject(before.fieldData)}),
        ...flagChanges(Object.fromEntries(Object.entries(old).filter(([key]) => Object.hasOwn(changes, key)))),
      }),
    undoneText: `Restored the profile field ${old.name}`,
    failureText: 'The profile field was not restored',
  });
}

/** Returns the field that a text of the server is about. */
function errorField(error: unknown): keyof ProfileFieldValues | undefined {
  const text = isApiFailure(error) ? error.message : '';
  if (/^(?:label|name)\b|with that (?:label|name)/i.test(text)) return 'name';
  if (/^hint\b/i.test(text)) return 'hint';
  if (/choice/.test(text)) return 'options';
  if (/URL pattern|url_pattern/.test(text)) return 'urlPattern';
  if (/summary/.test(text)) return 'isInSummary';
  return /matching/.test(text) ? 'isForMatching' : undefined;
}

const listId = 'profile fields';

/** Opens the list of custom profile fields, to create, change, move and remove them. */
export function openProfileFieldList(app: App): void {
  const order = new RecordOrder({
    listId,
    what: 'profile fields',
    slice: 'profileFields',
    keys: ({profileFields}) => profileFields.toSorted((a, b) => a.order - b.order).map(({id}) => String(id)),
    send: ({session}, keys) => session.context.api.reorderProfileFields({order: keys.map(Number)}),
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
      recordAction('Enter', 'edit', {isReadOnly: true, run: (from, {key}) => openProfileFieldForm(from, Number(key))}),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => administratorReason(frame),
        confirm: ({label}) => ({
          title: `Remove the profile field ${label}?`,
          yes: 'Remove',
          detail: 'with what all users have written in it, for ever',
        }),
        run: (from, {key, label}) =>
          requestFromServer(from, {
            send: () => from.session.context.api.removeProfileField({field_id: Number(key)}),
            doneText: () => `Removed the profile field ${label}`,
            failureText: `${label} was not removed`,
          }),
      }),
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
