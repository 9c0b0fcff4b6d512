import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {accountId} from '#config/account-id.ts';
import type {Paths} from '#config/paths.ts';
import {writePrivateFile} from '#config/private-files.ts';

/** What is known of the demo's account without its server. */
export interface PersistedDemoAccount {
  readonly id: string;
  readonly email: string;
}

/** Where the demo organization lives. */
export function embeddedDirectory({data}: Pick<Paths, 'data'>): string {
  return join(data, 'demo-small');
}

const fileOf = (directory: string) => join(directory, 'account');

/** So that the next start has something to show before the server answers. */
export function persistDemoAccount(directory: string, email: string): void {
  if (persistedDemoAccount(directory)?.email !== email) writePrivateFile(fileOf(directory), `${email}\n`);
}

export function persistedDemoAccount(directory: string): PersistedDemoAccount | undefined {
  try {
    const email = readFileSync(fileOf(directory), 'utf8').trim();
    return email === '' ? undefined : {id: embeddedAccountId(directory, email), email};
  } catch {
    // There was no server yet, or its directory is gone.
    return undefined;
  }
}

/** Changes with the world, not with its port: what is kept for a world must not be shown in the one after it. */
export function embeddedAccountId(directory: string, email: string): string {
  const secret = readFileSync(join(directory, 'secret'));
  const world = createHash('sha256').update(secret).digest('hex').slice(0, 12);
  return accountId(`embedded-${world}`, email);
}
