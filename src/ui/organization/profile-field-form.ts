import {isApiFailure} from '#api/failure.ts';
import {
  createProfileField,
  type ProfileFieldChange,
  removeProfileField,
  updateProfileField,
} from '#state/actions/organization.ts';
import type {ProfileField} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {Form} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {customAccount, type ProfileFieldValues, profileFieldFields} from './profile-field-fields.ts';
import {optionData, optionsFromText, parsedObject, readOptions} from './profile-options.ts';

/** Opens the form for a custom profile field; `id` is undefined for a new one. */
export function openProfileFieldForm(app: App, id: number | undefined): void {
  const fieldIn = ({account}: Frame) => account.profileFields.find((one) => one.id === id);
  const form: Form<ProfileFieldValues> = {
    id: `profile field ${id ?? 'new'}`,
    title: id === undefined ? 'New profile field' : 'Profile field',
    ...(id === undefined && {isNew: true as const, saveLabel: 'Create the field'}),
    initial: (frame) => valuesOf(fieldIn(frame)),
    fields: (frame, values) =>
      id !== undefined && fieldIn(frame) === undefined ? [] : profileFieldFields(frame, values, fieldIn(frame)),
    errorField,
    save: async (from, changes, values) => {
      const before = fieldIn(from.frame);
      return before === undefined ? create(from, values) : change(from, before, changes, values);
    },
  };
  openForm(app, form);
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

async function create(app: App, values: ProfileFieldValues): Promise<string> {
  const {context} = app.session;
  const {type, name, hint, account} = values;
  const isNamedByServer = type === profileFieldTypes.externalAccount && account !== customAccount;
  const id = await createProfileField(context, type, {
    ...(!isNamedByServer && {name}),
    ...(!isNamedByServer && hint !== '' && {hint}),
    field_data: fieldData(values, undefined),
    ...flagChanges(values),
  });
  const label = isNamedByServer ? 'Created the profile field' : `Created the profile field ${name}`;
  return undoOffer(app, {
    label,
    undo: () => removeProfileField(context, id),
    undoneText: 'Removed the profile field',
    failureText: 'The profile field was not removed',
  });
}

async function change(
  app: App,
  before: ProfileField,
  changes: Partial<ProfileFieldValues>,
  values: ProfileFieldValues,
): Promise<string> {
  const {context} = app.session;
  const hasData = changes.options !== undefined || changes.account !== undefined || changes.urlPattern !== undefined;
  const data = hasData ? fieldData(values, before) : undefined;
  await updateProfileField(context, before.id, {
    ...(changes.name !== undefined && {name: changes.name}),
    ...(changes.hint !== undefined && {hint: changes.hint}),
    ...(data !== undefined && {field_data: data}),
    ...flagChanges(changes),
  });
  const label = `Changed the profile field ${values.name}`;
  const removesOptions = readOptions(before.fieldData).some(({key}) => data !== undefined && !Object.hasOwn(data, key));
  // The values of users who had chosen a removed option are gone.
  if (before.type === profileFieldTypes.dropdown && removesOptions) return label;
  const old = valuesOf(before);
  return undoOffer(app, {
    label,
    undo: () =>
      updateProfileField(context, before.id, {
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
