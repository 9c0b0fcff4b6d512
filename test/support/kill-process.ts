import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';

/** `kill -9`; resolves when it is gone: before that it may still write where its files are to be removed. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
