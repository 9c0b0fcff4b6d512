import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {forbiddenInNames} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import {
  findProfileField,
  listProfileFields,
  nextPosition,
  type ProfileFieldRow,
  storeOrder,
} from '#server/db/organization-items.ts';
import {reloadUser} from '#server/db/users.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {checkedFieldData, externalAccount} from '#server/organization/profile-field-data.ts';
import {type Route, route} from '#server/route.ts';
import {profileFieldViews} from '#server/views/organization-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

export const profileFieldRoutes: readonly Route[] = [
  route(endpoints.getProfileFields, 'account', ({db}) => ({custom_fields: profileFieldViews(db)})),
  route(endpoints.createProfileField, 'admin', (call, params) => ({id: createField(call, params.field_type, params)})),
  // The list must have all of the fields; as on Zulip's servers, it may have others.
  route(endpoints.reorderProfileFields, 'admin', (call, {order}) => {
    check(
      listProfileFields(call.db).every(({id}) => order.includes(id)),
      'Invalid order mapping.',
    );
    storeOrder(call.db, 'profile_field', order);
    emitFields(call);
  }),
  route(endpoints.updateProfileField, 'admin', (call, params) =>
    updateField(call, requireProfileField(call, params.field_id), params),
  ),
  // Clients drop the values when the field is gone from the list.
  route(endpoints.removeProfileField, 'admin', (call, params) => {
    const field = requireProfileField(call, params.field_id);
    call.db.deleteRows('profile_value', {field_id: field.id});
    call.db.deleteRows('profile_field', {id: field.id});
    emitFields(call);
  }),
];

const maxFieldNameLength = 40;
const maxHintLength = 80;
const maxInSummary = 2;
const pronounsHint = 'What pronouns should people use to refer to you?';

type ProfileFieldInput = Partial<ParamsOf<typeof endpoints.updateProfileField>>;

function createField(act: ActionContext, type: number, input: ProfileFieldInput): number {
  if (input.display_in_profile_summary === true) checkSummaryLimit(act, undefined);
  const fieldData = checkedFieldData(type, input.field_data);
  const account = type === profileFieldTypes.externalAccount ? externalAccount(input.field_data?.subtype) : undefined;
  const row = {
    ...checkedTexts(
      account?.name ?? input.name ?? '',
      account?.hint ?? input.hint ?? (type === profileFieldTypes.pronouns ? pronounsHint : ''),
    ),
    type,
    field_data: fieldData,
    required: Number(input.required ?? false),
    editable_by_user: Number(input.editable_by_user ?? true),
    display_in_profile_summary: Number(input.display_in_profile_summary ?? false),
    use_for_user_matching: Number(input.use_for_user_matching ?? false),
  };
  check(Object.values<number>(profileFieldTypes).includes(type), 'Invalid field type.');
  if (row.display_in_profile_summary === 1) checkSummaryType(type);
  if (row.use_for_user_matching === 1) checkMatching(type);
  checkFieldNameFree(act, row.name, undefined);
  const id = act.db.insertRow('profile_field', {...row, sort_order: nextPosition(act.db, 'profile_field')});
  emitFields(act);
  return id;
}

function updateField(act: ActionContext, field: ProfileFieldRow, input: ProfileFieldInput): void {
  if (input.display_in_profile_summary === true) checkSummaryLimit(act, field.id);
  checkFixed(field, input);
  const flag = (input: boolean | undefined, current: number) => (input === undefined ? current : Number(input));
  const inSummary = flag(input.display_in_profile_summary, field.display_in_profile_summary);
  const fieldData = input.field_data === undefined ? field.field_data : checkedFieldData(field.type, input.field_data);
  const {name, hint} = checkedTexts(input.name ?? field.name, input.hint ?? field.hint);
  if (inSummary === 1) checkSummaryType(field.type);
  if (input.use_for_user_matching === true) checkMatching(field.type);
  checkFieldNameFree(act, name, field.id);
  act.db.updateRow('profile_field', field.id, {
    name,
    hint,
    field_data: fieldData,
    required: flag(input.required, field.required),
    editable_by_user: flag(input.editable_by_user, field.editable_by_user),
    display_in_profile_summary: inSummary,
    use_for_user_matching: flag(input.use_for_user_matching, field.use_for_user_matching),
  });
  if (field.type === profileFieldTypes.dropdown) clearRemovedChoices(act, field.id, fieldData);
  emitFields(act);
}

function requireProfileField(act: ActionContext, id: number): ProfileFieldRow {
  return required(findProfileField(act.db, id), `Field id ${id} not found.`);
}

/** Throws if the input changes a field for a well-known service, whose name the server determines. */
function checkFixed(field: ProfileFieldRow, input: ProfileFieldInput): void {
  if (field.type !== profileFieldTypes.externalAccount) return;
  const data: {subtype?: unknown} = JSON.parse(field.field_data);
  if (externalAccount(data.subtype) === undefined) return;
  const changed =
    (input.name !== undefined && input.name !== field.name) ||
    (input.hint !== undefined && input.hint !== field.hint) ||
    (input.field_data !== undefined && input.field_data.subtype !== data.subtype);
  check(!changed, 'Default custom field cannot be updated.');
}

function checkedTexts(label: string, hint: string): {name: string; hint: string} {
  const name = label.trim();
  check(name !== '', 'Label cannot be blank.');
  for (const [what, text, limit] of [
    ['hint', hint, maxHintLength] as const,
    ['name', name, maxFieldNameLength] as const,
  ]) {
    if ([...text].length > limit) throw badRequest(`${what} is too long (limit: ${limit} characters)`);
  }
  check(!forbiddenInNames.test(name), 'Invalid character in label.');
  return {name, hint};
}

function checkFieldNameFree(act: ActionContext, name: string, ownId: number | undefined): void {
  const taken = listProfileFields(act.db).some((field) => field.name === name && field.id !== ownId);
  check(!taken, 'A field with that label already exists.');
}

function checkSummaryType(type: number): void {
  check(type !== profileFieldTypes.user, 'Field type not supported for display in profile summary.');
}

function checkSummaryLimit(act: ActionContext, ownId: number | undefined): void {
  const others = listProfileFields(act.db).filter(
    (field) => field.display_in_profile_summary === 1 && field.id !== ownId,
  );
  if (others.length >= maxInSummary) {
    throw badRequest(`Only ${maxInSummary} custom profile fields can be displayed in the profile summary.`);
  }
}

/** The types whose values do not name a user. */
const notForMatching: ReadonlySet<number> = new Set([
  profileFieldTypes.paragraph,
  profileFieldTypes.date,
  profileFieldTypes.url,
  profileFieldTypes.user,
  profileFieldTypes.pronouns,
]);

function checkMatching(type: number): void {
  check(!notForMatching.has(type), 'Field type not supported for use for user matching.');
}

/** Clears the values of users whose choice no longer exists. */
function clearRemovedChoices(act: ActionContext, fieldId: number, fieldData: string): void {
  const choices = JSON.stringify(Object.keys(JSON.parse(fieldData)));
  const sql = 'FROM profile_value WHERE field_id = ? AND value NOT IN (SELECT value FROM json_each(?))';
  const people = act.db.pluck(`SELECT user_id ${sql}`, fieldId, choices);
  act.db.run(`DELETE ${sql}`, fieldId, choices);
  for (const id of people) {
    emitUserUpdate(act, reloadUser(act, id), {custom_profile_field: {id: fieldId, value: null}});
  }
}

function emitFields(act: ActionContext): void {
  act.emit('custom_profile_fields', 'everyone', {fields: profileFieldViews(act.db)});
}
