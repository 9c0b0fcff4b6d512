import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {hostOf} from '#server/views/user.ts';

const longest = 254;
/** One `@`, no spaces or controls, no colon (it divides address and key in credentials), a plausible host. */
const shape = /^[^\s@:<>()[\]\\,;"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** An address that a new or changed account may have, or a refusal that says why. */
export function checkedEmail(act: ActionContext, given: string, owner: 'person' | 'bot' = 'person'): string {
  const email = given.trim();
  if (!isEmailAddress(act, email)) throw badRequest('Enter a valid email address.');
  // A bot's address is at the server itself, whatever domains people must come from.
  if (owner === 'person' && !isDomainAllowed(act, email)) {
    throw badRequest(`Email '${email}' not allowed in this organization`);
  }
  if (findUserByEmail(act.db, email) !== undefined) throw badRequest(`Email '${email}' already in use`);
  return email;
}

export function isEmailAddress(act: Pick<ActionContext, 'world'>, email: string): boolean {
  if (email.length > longest || !shape.test(email) || email.includes('..')) return false;
  // A dummy address names somebody already.
  return idOfDummyEmail(email, hostOf(act.world)) === undefined;
}

export function isDomainAllowed(act: ActionContext, email: string): boolean {
  if (!organization(act).emails_restricted_to_domains) return true;
  const [name = '', domain = ''] = fold(email).split('@');
  // `name+anything@` is a way around a rule about who somebody is.
  if (name.includes('+')) return false;
  const allowed = act.db.all<{domain: string; allow_subdomains: number}>(
    'SELECT domain, allow_subdomains FROM realm_domain',
  );
  return allowed.some(
    (row) =>
      domain === fold(row.domain) || (row.allow_subdomains === 1 && domain.endsWith(`.${fold(row.domain)}`)),
  );
}
