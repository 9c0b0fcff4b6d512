import {join} from 'node:path';
import {replacePrivateFile} from '#config/private-files.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';

/** One account in the ready file. */
export interface ServedAccount {
  readonly email: string;
  readonly api_key: string;
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  /** The path of the account's file, which any client of the Zulip API can use. */
  readonly zuliprc: string;
}

/** Returns a name for the file of an account. */
export function fileName(account: string): string {
  return account.replaceAll(/[^\w.-]/g, '_');
}

export function writeZuliprc(path: string, {email, key, site}: {email: string; key: string; site: string}): void {
  replacePrivateFile(path, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`);
}

/** Writes a `zuliprc` for each account that the organization offers for logging in; the first is the user's own. */
export function writeAccounts(context: ServerContext, directory: string): ServedAccount[] {
  const stored = context.db.value<string>(`SELECT value FROM meta WHERE key = 'accounts'`) ?? '[]';
  const ids: unknown = JSON.parse(stored);
  const users = (Array.isArray(ids) ? ids : []).flatMap((id) => findUser(context.db, Number(id)) ?? []);
  return users.map((user) => writeAccount(context, directory, user));
}

function writeAccount(context: ServerContext, directory: string, user: UserRow): ServedAccount {
  const apiKey = context.secrets.apiKey(user);
  const path = join(directory, `${fileName(user.delivery_email.split('@')[0] ?? String(user.id))}.zuliprc`);
  writeZuliprc(path, {email: user.delivery_email, key: apiKey, site: context.url});
  return {
    email: user.delivery_email,
    api_key: apiKey,
    user_id: user.id,
    full_name: user.full_name,
    role: user.role,
    zuliprc: path,
  };
}
