import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {nameFor} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import {findProfileField, type ProfileFieldRow} from '#server/db/organization-items.ts';
import type {Ids, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {isRendered} from '#server/views/users.ts';
import {parseJson} from '#std/parse-json.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type ProfileInput, profileFieldTypes} from '#wire/objects/user.ts';
import {type AccountChange, sendAccountNotice} from './account-notice.ts';

export const profileDataRoutes: readonly Route[] = [
  route(endpoints.updateProfileData, 'person', (call, {data}) => setProfileData(call, call.actor, call.actor, data)),
  route(endpoints.removeProfileData, 'person', (call, {data: ids}) => {
    for (const id of ids) writeProfileValue(call, call.actor, editableField(call, call.actor, id), null);
  }),
];

const shortTextLength = 50;

const paragraphLength = 500;

/**
 * Writes several custom profile fields, all of them or none. An empty value from somebody else clears the field; an own
 * empty value is stored. Cleared fields come first, each with a notice of its own, as on Zulip's servers.
 */
export function setProfileData(
  act: ActionContext,
  actor: UserRow,
  target: UserRow,
  data: readonly ProfileInput[],
): void {
  const isCleared = ({value}: ProfileInput) =>
    value === null || (value.length === 0 && (actor.id !== target.id || value !== ''));
  const write = ({id, value}: ProfileInput): AccountChange[] => {
    const field = editableField(act, actor, id);
    const text = value === null || isCleared({id, value}) ? null : value === '' ? '' : storedText(act, field, value);
    const before = writeProfileValue(act, target, field, text);
    if (before === text) return [];
    const shown = (stored: string | null) => shownValue(act, target, field, stored);
    return [{name: field.name, before: shown(before), after: shown(text)}];
  };
  for (const input of data.filter(isCleared)) sendAccountNotice(act, actor, target, write(input));
  const set = data.filter((input) => !isCleared(input));
  sendAccountNotice(act, actor, target, set.flatMap(write));
}

/** Returns a stored value as Markdown for the reader. */
function shownValue(act: ActionContext, reader: UserRow, field: ProfileFieldRow, text: string | null): string {
  if (text === null || text === '') return '';
  if (field.type === profileFieldTypes.dropdown) return JSON.parse(field.field_data)[text]?.text ?? text;
  if (field.type !== profileFieldTypes.user) return text;
  return (parsedIds(text) ?? []).map((id) => nameFor(act, reader, findUser(act.db, id))).join(', ');
}

/** Clears all profile fields of a user, also those that only administrators may edit. */
export function clearAllProfileData(act: ActionContext, target: UserRow): void {
  const sql = 'SELECT f.* FROM profile_value AS v JOIN profile_field AS f ON f.id = v.field_id WHERE v.user_id = ?';
  const fields = act.db.all<ProfileFieldRow>(sql, target.id);
  for (const field of fields) writeProfileValue(act, target, field, null);
}

function editableField(act: ActionContext, actor: UserRow, id: number): ProfileFieldRow {
  const field = required(findProfileField(act.db, id), `Field id ${id} not found.`);
  if (field.editable_by_user === 0 && !isAdmin(actor)) {
    throw badRequest('You are not allowed to change this field. Contact an administrator to update it.');
  }
  return field;
}

/** Writes a value and returns the one before. */
function writeProfileValue(
  act: ActionContext,
  target: UserRow,
  field: ProfileFieldRow,
  text: string | null,
): string | null {
  const {db, server} = act;
  const sql = 'SELECT value FROM profile_value WHERE user_id = ? AND field_id = ?';
  const before = db.value<string>(sql, target.id, field.id) ?? null;
  if (before === text) return before;
  if (text === null) {
    db.deleteRows('profile_value', {user_id: target.id, field_id: field.id});
  } else {
    db.replaceRow('profile_value', {user_id: target.id, field_id: field.id, value: text});
  }
  const rendered =
    text !== null && text !== '' && isRendered(field.type)
      ? {rendered_value: server.renderer.descriptionHtml(text)}
      : {};
  emitUserUpdate(act, target, {custom_profile_field: {id: field.id, value: text, ...rendered}});
  return before;
}

/** Returns the value as stored; throws if it is invalid for the type of field. */
function storedText(act: ActionContext, field: ProfileFieldRow, value: string | Ids): string {
  if (field.type === profileFieldTypes.user) return storedUsers(act, value);
  check(typeof value === 'string', `${field.name} is not a string`);
  switch (field.type) {
    case profileFieldTypes.paragraph:
      return limited(field, value, paragraphLength);
    case profileFieldTypes.dropdown:
      check(choicesOf(field).has(value), `'${value}' is not a valid choice for '${field.name}'.`);
      return value;
    case profileFieldTypes.date:
      check(isDate(value), `${field.name} is not a date`);
      return value;
    case profileFieldTypes.url:
      check(isWebAddress(value), `${field.name} is not a URL`);
      return value;
    default:
      return limited(field, value, shortTextLength);
  }
}

function limited({name}: ProfileFieldRow, value: string, length: number): string {
  check(!value.includes('\0'), `${name} must not contain null bytes`);
  if (Array.from(value).length > length) throw badRequest(`${name} is too long (limit: ${length} characters)`);
  return value;
}

function choicesOf({field_data}: ProfileFieldRow): ReadonlySet<string> {
  return new Set(field_data === '' ? [] : Object.keys(JSON.parse(field_data)));
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(value) && !/\s/.test(value) && URL.canParse(value);
}

function storedUsers(act: ActionContext, value: string | Ids): string {
  const ids = required(typeof value === 'string' ? parsedIds(value) : value, 'User IDs is not a list');
  for (const id of ids) {
    const user = findUser(act.db, id);
    check(user !== undefined && user.is_system_bot !== 1, `Invalid user IDs: ${id}`);
    check(user.is_active !== 0, `User with ID ${id} is deactivated`);
    check(user.is_bot !== 1, `User with ID ${id} is a bot`);
  }
  return JSON.stringify([...new Set(ids)]);
}

/** Parses a list of ids that came as JSON text, which is also its format in responses. */
function parsedIds(text: string): number[] | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    return undefined;
  }
  return Array.isArray(parsed) && parsed.every(Number.isSafeInteger) ? parsed : undefined;
}
