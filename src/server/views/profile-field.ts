import type {Database} from '#server/db/database.ts';
import {listProfileFields, type ProfileFieldRow} from '#server/db/profile-fields.ts';
import {profileFieldTypes, type WireProfileField} from '#wire/objects/profile-field.ts';

/** Returns a custom profile field as the API shows it: two of its flags are present only when they are set. */
function profileFieldView(row: ProfileFieldRow): WireProfileField {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    hint: row.hint,
    field_data: row.field_data,
    order: row.sort_order,
    required: row.required === 1,
    editable_by_user: row.editable_by_user === 1,
    ...(row.display_in_profile_summary === 1 ? {display_in_profile_summary: true} : {}),
    ...(row.use_for_user_matching === 1 ? {use_for_user_matching: true} : {}),
  };
}

export function profileFieldViews(db: Database): WireProfileField[] {
  return listProfileFields(db).map(profileFieldView);
}

/** The field types by the names that the API gives them. */
export const profileFieldTypeNames = {
  SHORT_TEXT: {id: profileFieldTypes.shortText, name: 'Short text'},
  PARAGRAPH: {id: profileFieldTypes.paragraph, name: 'Paragraph'},
  DROPDOWN: {id: profileFieldTypes.dropdown, name: 'Dropdown'},
  DATE: {id: profileFieldTypes.date, name: 'Date'},
  URL: {id: profileFieldTypes.url, name: 'Link'},
  USER: {id: profileFieldTypes.user, name: 'Users'},
  EXTERNAL_ACCOUNT: {id: profileFieldTypes.externalAccount, name: 'External account'},
  PRONOUNS: {id: profileFieldTypes.pronouns, name: 'Pronouns'},
};
