import {readdirSync, readFileSync} from 'node:fs';

/** Returns the resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  return Number(field(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')) / 1024;
}

/** Returns the memory in MiB that only this process has and no file: heap, stacks, what it made and read. */
export function anonymousMiB(pid: number): number {
  return Number(field(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss_Anon')) / 1024;
}

/** Returns the memory of a process in MiB, where what it shares with others counts in parts. */
export function proportionalMiB(pid: number): number {
  return Number(field(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')) / 1024;
}

/** Returns the processes that a process has started and that have not ended. */
export function childrenOf(pid: number): readonly number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '));
  return lists
    .flat()
    .filter((each) => each !== '')
    .map(Number);
}

/** Returns how often the threads of a process went to sleep so far: every wakeup ends with it. */
export function sleepCount(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return sum + Number(field(status, 'voluntary_ctxt_switches'));
  }, 0);
}

/** Returns the CPU time that a process has used, in seconds. */
export function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) / 100;
}

function field(status: string, name: string): string {
  return new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? '0';
}
