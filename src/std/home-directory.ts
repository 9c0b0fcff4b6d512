import {userInfo} from 'node:os';
import {isAbsolute} from 'node:path';

/**
 * Returns the home directory of the user: HOME if it is an absolute path, because files would otherwise be written below the working directory,
 * or else the one in the list of users. A user number without an entry there, as in containers, has none, and Node throws: then it is the root
 * directory, as it is for such users in most containers.
 */
export function homeDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const {HOME: home} = env;
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch {
    return '/';
  }
}
