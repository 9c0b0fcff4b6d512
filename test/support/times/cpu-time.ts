import {readFileSync} from 'node:fs';

/** The kernel counts CPU time in hundredths of a second for programs, whatever its own clock is. */
const ticksPerSecond = 100;

/** Returns the CPU seconds of this process and of its ended descendants; where there is no `/proc`, without those. */
export function cpuSeconds(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in parentheses, may contain spaces. utime, stime, cutime and cstime are fields 14 to 17.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
  } catch {
    const {user, system} = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
