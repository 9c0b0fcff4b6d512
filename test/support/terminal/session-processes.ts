import {existsSync, readdirSync, readFileSync} from 'node:fs';

/** Ends the processes of a terminal's session: the program and what it started, job control or not. */
export function endSession(leader: number): void {
  for (const pid of sessionOf(leader)) {
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

function sessionId(pid: number): number | undefined {
  try {
    // The name before the parenthesis may hold anything.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/);
    return Number(fields.split(' ')[3]);
  } catch {
    return undefined; // Gone meanwhile.
  }
}
