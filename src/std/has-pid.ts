/** Returns whether a process with this id runs on this machine, whoever started it. */
export function hasPid(pid: number): boolean {
  // 0 and negative numbers name groups of processes.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
