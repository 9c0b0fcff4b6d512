import {homedir} from 'node:os';

/**
 * Returns the home directory of the user. A user number without an entry in the list of users, as in containers, has none, and Node throws:
 * then it is the root directory, as it is for such users in most containers.
 */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
