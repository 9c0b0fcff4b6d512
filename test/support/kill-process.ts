import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';

/** Sends SIGKILL and resolves when the process has exited: until then it may still write to files that tests remove. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
