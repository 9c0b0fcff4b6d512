import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';

const longest = 100;
/** Characters that mean something inside a mention or a quoted address. */
const forbidden = /[*`\\>"@]/;
const invisible = /[\p{Cc}\p{Cs}\u200b\u2028\u2029\ufeff]/u;
/** `Name|17` is how a mention tells two people of one name apart. */
const mentionSuffix = /\|\d*$/;

/** A display name fit to be stored, or a refusal that says why. `ownId` may keep the name it has. */
export function checkedFullName(act: ActionContext, given: string, ownId?: number): string {
  const name = given.trim();
  if (name === '') throw badRequest('Name too short!');
  if (Array.from(name).length > longest) throw badRequest('Name too long!');
  if (forbidden.test(name) || invisible.test(name)) throw badRequest('Invalid characters in name!');
  if (mentionSuffix.test(name)) throw badRequest('Invalid format!');
  if (organization(act).require_unique_names && isTaken(act, name, ownId)) {
    throw badRequest('Unique names required in this organization.');
  }
  return name;
}

function isTaken({db}: ActionContext, name: string, ownId: number | undefined): boolean {
  const sql = 'SELECT 1 FROM user WHERE name_key = ? AND id != ? AND is_active = 1 AND is_bot = 0';
  return db.get(sql, fold(name), ownId ?? -1) !== undefined;
}
