import {forbiddenInNames} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {hostOf} from '#server/views/user.ts';

const maxLength = 254;
/** One `@`, no spaces or controls, no colon (it separates address and key in credentials), a plausible host. */
const addressPattern = /^[^\s@:<>()[\]\\,;"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** Returns the trimmed address if an account may have it; throws an error with the reason otherwise. */
export function checkedEmail(act: ActionContext, input: string, owner: 'person' | 'bot' = 'person'): string {
  const email = input.trim();
  if (!isEmailAddress(act, email)) throw badRequest('Enter a valid email address.');
  // A bot's address is at the server itself, so the rule about domains does not apply.
  if (owner === 'person' && !isDomainAllowed(act, email)) {
    if (hasPlus(email)) throw badRequest('Email addresses containing + are not allowed.');
    throw badRequest(`Email '${email}' not allowed in this organization`);
  }
  if (findUserByEmail(act.db, email) !== undefined) throw badRequest('Email is already in use.');
  return email;
}

/** Returns why a person may not have the address, in the short words of lists; undefined if they may. */
export function addressProblem(act: ActionContext, email: string): string | undefined {
  if (!isEmailAddress(act, email)) return 'Invalid address.';
  if (isDomainAllowed(act, email)) return undefined;
  return hasPlus(email) ? 'Email addresses containing + are not allowed.' : 'Outside your domain.';
}

/** Returns why an address is not free; undefined if it is. */
export function accountProblem(act: ActionContext, email: string): string | undefined {
  const user = findUserByEmail(act.db, email);
  if (user === undefined) return undefined;
  return user.is_active === 1 ? 'Already has an account.' : 'Account has been deactivated.';
}

function hasPlus(email: string): boolean {
  return email.split('@')[0]?.includes('+') === true;
}

export function isEmailAddress(act: Pick<ActionContext, 'server'>, email: string): boolean {
  if (!hasAddressForm(email)) return false;
  // A dummy address already belongs to a user.
  return idOfDummyEmail(email, hostOf(act.server)) === undefined;
}

export function hasAddressForm(email: string): boolean {
  return email.length <= maxLength && addressPattern.test(email) && !email.includes('..');
}

function isDomainAllowed(act: ActionContext, email: string): boolean {
  if (!organization(act).emails_restricted_to_domains) return true;
  const [name = '', domain = ''] = fold(email).split('@');
  // `name+anything@` would let one person register several addresses.
  if (name.includes('+')) return false;
  const allowed = act.db.all<{domain: string; allow_subdomains: number}>(
    'SELECT domain, allow_subdomains FROM realm_domain',
  );
  return allowed.some(
    (row) => domain === fold(row.domain) || (row.allow_subdomains === 1 && domain.endsWith(`.${fold(row.domain)}`)),
  );
}

const maxNameLength = 100;
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
  const problem = fullNameProblem(name);
  if (problem !== undefined) throw badRequest(problem);
  if (organization(act).require_unique_names && isTaken(act, name, ownId)) {
    throw badRequest('Unique names required in this organization.');
  }
  return name;
}

/** Returns why nobody may have this display name; undefined if somebody may. */
export function fullNameProblem(name: string): string | undefined {
  if (name === '') return 'Name must not be empty!';
  if (Array.from(name).length > maxNameLength) return 'Name too long!';
  if ([forbidden, invisible, forbiddenInNames].some((characters) => characters.test(name))) {
    return 'Invalid characters in name!';
  }
  return mentionSuffix.test(name) ? 'Invalid format!' : undefined;
}

function isTaken({db}: ActionContext, name: string, ownId: number | undefined): boolean {
  const sql = 'SELECT 1 FROM user WHERE name_key = ? AND id != ? AND is_system_bot = 0';
  return db.get(sql, fold(name), ownId ?? -1) !== undefined;
}
