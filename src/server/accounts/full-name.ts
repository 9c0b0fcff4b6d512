import {forbiddenInNames} from '#server/actions/inputs/name-characters.ts';
import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';

const maxLength = 100;
/** Characters that mean something inside a mention or a quoted address. */
const forbidden = /[*`\\>"@]/;
const invisible = /[\u200b\u2028\u2029\ufeff]/;
/** A mention writes `Name|17` to distinguish two users of the same name. */
const mentionSuffix = /\|\d+$/;

/**
 * Returns the trimmed display name; throws an error with the reason if it is invalid. The user `ownId` may already have
 * it.
 */
export function checkedFullName(act: ActionContext, input: string, ownId?: number): string {
  const name = input.trim();
  if (name === '') throw badRequest('Name must not be empty!');
  if (Array.from(name).length > maxLength) throw badRequest('Name too long!');
  if ([forbidden, invisible, forbiddenInNames].some((characters) => characters.test(name))) {
    throw badRequest('Invalid characters in name!');
  }
  if (mentionSuffix.test(name)) throw badRequest('Invalid format!');
  if (organization(act).require_unique_names && isTaken(act, name, ownId)) {
    throw badRequest('Unique names required in this organization.');
  }
  return name;
}

function isTaken({db}: ActionContext, name: string, ownId: number | undefined): boolean {
  const sql = 'SELECT 1 FROM user WHERE name_key = ? AND id != ? AND is_system_bot = 0';
  return db.get(sql, fold(name), ownId ?? -1) !== undefined;
}
