import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Paths} from './paths.ts';

/**
 * A file name for what is kept per account: the same for the same person on the same server, different for any two. The front
 * is for people who look into the directory, the hash makes it unique.
 */
export function accountId(site: string, email: string): string {
  const who = email.toLowerCase();
  const hash = createHash('sha256').update(`${site}\n${who}`).digest('hex').slice(0, 16);
  const place = site.replace(/^[a-z]+:\/+/, '');
  const shown = `${who}-${place}`.replaceAll(/[^a-z0-9.@_-]+/g, '_').replace(/^[.-]+/, '');
  return `${shown.slice(0, 60)}-${hash}`;
}

/** Where the outbox, the drafts and the messages of an account are kept. */
export function accountDatabase(paths: Pick<Paths, 'data'>, id: string): string {
  return join(paths.data, 'accounts', `${id}.db`);
}
