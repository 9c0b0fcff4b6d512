import type {ServerContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {hashPassword} from './secrets.ts';

export const passwordMinLength = 8;
export const passwordMaxLength = 100;

/** Returns the hash of a new password; throws if the password is too weak or too long. */
export async function hashNewPassword(
  {passwordCost}: ServerContext,
  password: string,
  tooWeak = 'The password is too weak.',
): Promise<string> {
  const distinct = new Set(password).size;
  if (password.length < passwordMinLength || distinct < 4) throw badRequest(tooWeak);
  if (password.length > passwordMaxLength) throw badRequest('The password is too long.');
  return hashPassword(password, passwordCost);
}
