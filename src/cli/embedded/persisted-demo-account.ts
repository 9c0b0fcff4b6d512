import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Account} from '#config/load-account.ts';
import {accountId, type Paths} from '#config/paths.ts';
import {writePrivateFile} from '#config/private-files.ts';

/** Returns the data directory of the demo organization. */
export function embeddedDirectory({data}: Pick<Paths, 'data'>): string {
  return join(data, 'demo-small');
}

const fileOf = (directory: string) => join(directory, 'account');

/** Saves the account, so that the next start can show saved messages before the server responds. */
export function persistDemoAccount(directory: string, email: string): void {
  if (persistedDemoAccount(directory)?.email !== email) writePrivateFile(fileOf(directory), `${email}\n`);
}

/** Returns the demo's account, as it is known without asking its server. */
export function persistedDemoAccount(directory: string): Pick<Account, 'id' | 'email'> | undefined {
  try {
    const email = readFileSync(fileOf(directory), 'utf8').trim();
    return email === '' ? undefined : {id: embeddedAccountId(directory, email), email};
  } catch {
    // The server never ran, or its directory was removed.
    return undefined;
  }
}

/**
 * Returns an account id that changes with the generated organization but not with its port: messages saved
 * for one organization must not appear in the next.
 */
export function embeddedAccountId(directory: string, email: string): string {
  const secret = readFileSync(join(directory, 'secret'));
  const organization = createHash('sha256').update(secret).digest('hex').slice(0, 12);
  return accountId(`embedded-${organization}`, email);
}
