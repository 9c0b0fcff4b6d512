import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Paths} from './paths.ts';

/**
 * Returns a file name that is unique for a user on a server. Its start makes the directory readable, the hash
 * at its end makes it unique.
 */
export function accountId(site: string, email: string): string {
  const user = email.toLowerCase();
  const hash = createHash('sha256').update(`${site}\n${user}`).digest('hex').slice(0, 16);
  const server = site.replace(/^[a-z]+:\/+/, '');
  const readable = `${user}-${server}`.replaceAll(/[^a-z0-9.@_-]+/g, '_').replace(/^[.-]+/, '');
  return `${readable.slice(0, 60)}-${hash}`;
}

/** Returns the path of the database with the outbox, drafts and saved messages of an account. */
export function accountDatabase(paths: Pick<Paths, 'data'>, id: string): string {
  return join(paths.data, 'accounts', `${id}.db`);
}
