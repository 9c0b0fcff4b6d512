import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import type {ProcessRecord} from './row-decoders.ts';

/** One run of one program; `boot` is where its pid means something. */
export type ProcessIdentity = Pick<ProcessRecord, 'pid' | 'host' | 'boot' | 'started'>;

export const heartbeatMs = 15_000;
/** A program elsewhere is gone after this long without a sign of life. */
const silence = 4 * heartbeatMs;
/** Where pids are all we have, another program may have got the pid of a dead one; a sleeping machine is silent too. */
const longSilence = 40 * heartbeatMs;

/** Pids are counted per PID namespace: two containers may share a file, a host name and a pid. */
export function thisProcess(): ProcessIdentity {
  const boot = `${firstLine('/proc/sys/kernel/random/boot_id')} ${namespace()}`;
  return {pid: process.pid, host: hostname(), boot, started: startOf(process.pid) ?? ''};
}

/** Whether the program behind `session` is no more, as far as `self` can tell. */
export function isProcessDead(session: ProcessRecord, self: ProcessIdentity, now: number): boolean {
  // Both ways: a clock that was set back must not keep the dead alive.
  const age = Math.abs(now - session.heartbeat);
  if (session.host !== self.host || session.boot !== self.boot) return age > silence;
  if (self.started !== '') return startOf(session.pid) !== session.started;
  return !hasPid(session.pid) || age > longSilence;
}

/** When the process began, in ticks since the boot; undefined when there is no such process, or no /proc. */
function startOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything, parentheses and spaces included.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = state === 'Z' || state === 'X';
  return isDead ? undefined : rest[18];
}

function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function firstLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
