import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';

/**
 * Ends the processes of a terminal's session: the program and what it started, job control or not. A program that lives is
 * ended by its own number, too: in its first moments it is not in the session yet.
 */
export function endSession(leader: number, isAlive: boolean): void {
  for (const pid of new Set([...(isAlive ? [leader] : []), ...sessionOf(leader)])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}

function sessionOf(leader: number): number[] {
  // Where there is no such list, the program's own group has to do.
  if (!existsSync('/proc/self/stat')) return [-leader];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => sessionId(pid) === leader);
}

/** Stopped by a signal. Where nobody can tell, the signal is taken for done. */
export function isStopped(pid: number): boolean {
  return !existsSync('/proc/self/stat') || statFields(pid)?.[0] === 'T';
}

/**
 * Keys have arrived that the program has not read: what is written at our end of the line is at its end a little later, when
 * the kernel gets round to it. Nothing is taken from it. Where nobody can tell, it is taken for there.
 */
export function hasInput(pid: number): boolean {
  const input = `/proc/${pid}/fd/0`;
  return !existsSync(input) || spawnSync('bash', ['-c', 'read -t 0 < "$0"', input]).status === 0;
}

function sessionId(pid: number): number | undefined {
  const id = statFields(pid)?.[3];
  return id === undefined ? undefined : Number(id);
}

/** From the state on: what follows the name. */
function statFields(pid: number): readonly string[] | undefined {
  try {
    // The name before the parenthesis may hold anything.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/);
    return fields.split(' ');
  } catch {
    return undefined; // Gone meanwhile.
  }
}
