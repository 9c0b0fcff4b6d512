import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import {hasPid} from '#std/has-pid.ts';
import type {ProcessRecord} from './row-decoders.ts';

/** One process; `boot` names the machine's boot and PID namespace, within which the pid is unique. */
export type ProcessIdentity = Pick<ProcessRecord, 'pid' | 'host' | 'boot' | 'started'>;

export const heartbeatMs = 15_000;
/** A process on another machine counts as dead after this long without a heartbeat. */
const maxSilenceMs = 4 * heartbeatMs;
/** Where only pids are known, a pid may have been reused; and a sleeping machine sends no heartbeats. */
const maxLongSilenceMs = 40 * heartbeatMs;

/** Pids are unique per PID namespace: two containers may share a file, a host name and a pid. */
export function thisProcess(): ProcessIdentity {
  const boot = `${firstLine('/proc/sys/kernel/random/boot_id')} ${namespace()}`;
  return {pid: process.pid, host: hostname(), boot, started: startTime(process.pid) ?? ''};
}

/** Returns whether the process of a record is dead, as far as `self` can tell. */
export function isProcessDead(record: ProcessRecord, self: ProcessIdentity, now: number): boolean {
  // Absolute: a clock that was set back must not keep dead processes alive.
  const age = Math.abs(now - record.heartbeat);
  if (record.host !== self.host || record.boot !== self.boot) return age > maxSilenceMs;
  if (self.started !== '') return startTime(record.pid) !== record.started;
  return !hasPid(record.pid) || age > maxLongSilenceMs;
}

/** Returns when the process started, in ticks since boot; undefined without such a process or without /proc. */
function startTime(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain anything, including parentheses and spaces.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = state === 'Z' || state === 'X';
  return isDead ? undefined : rest[18];
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
