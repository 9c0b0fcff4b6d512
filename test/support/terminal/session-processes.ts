import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';

/**
 * Ends all processes of a terminal's session: the program and its children, with or without job control. The
 * program is also ended by its id, because at its very start it is not in the session yet.
 */
export function endSession(leader: number, isAlive: boolean): void {
  for (const pid of new Set([...(isAlive ? [leader] : []), ...sessionOf(leader)])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function sessionOf(leader: number): number[] {
  // On systems without such a list, the program's own group is ended.
  if (!existsSync('/proc/self/stat')) return [-leader];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => sessionId(pid) === leader);
}

/** Returns whether the process was stopped by a signal; true on systems where this is unknown. */
export function isStopped(pid: number): boolean {
  return !existsSync('/proc/self/stat') || statFields(pid)?.[0] === 'T';
}

/**
 * Returns whether input has arrived that the program has not read: the kernel delivers what we write a little later. It
 * consumes nothing. Returns true on systems where this is unknown.
 */
export function hasInput(pid: number): boolean {
  const input = `/proc/${pid}/fd/0`;
  return !existsSync(input) || spawnSync('bash', ['-c', 'read -t 0 < "$0"', input]).status === 0;
}

function sessionId(pid: number): number | undefined {
  const id = statFields(pid)?.[3];
  return id === undefined ? undefined : Number(id);
}

/** Returns the fields after the name, starting with the state. */
function statFields(pid: number): readonly string[] | undefined {
  try {
    // The name in parentheses may contain any character.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/);
    return fields.split(' ');
  } catch {
    return undefined; // Gone meanwhile.
  }
}
