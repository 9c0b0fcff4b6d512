import {type ChildProcess, spawn} from 'node:child_process';
import {setPriority} from 'node:os';
import {dirname} from 'node:path';
import type {ProgramCommand} from '#std/program-files.ts';

/** How many MiB a session may keep, so that one with too much is ended before the machine has none left. */
const heapMib = 256;
/** Threads and what they allocate apart take memory in each session. */
const fewThreads = {UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1'};
/** A session that computes gives way to the server and to the SSH process. */
const priority = 5;

interface SessionProcessOptions {
  /** The built program. */
  readonly program: ProgramCommand;
  /** The options of Node that the program is started with. */
  readonly flags: readonly string[];
  /** The folder that the session may read and write, which need not exist yet. */
  readonly folder: string;
}

/**
 * Starts a process for a session under Node's permission model: it reads the files of the program and its own folder, writes to its own
 * folder, and starts threads but no programs.
 */
export function startSessionProcess({program, flags, folder}: SessionProcessOptions): ChildProcess {
  const [start] = program.args;
  // The single file reads its own files through this link.
  const programFiles = start === undefined ? [program.file, '/proc/self/exe'] : [dirname(start)];
  const readable = [...programFiles, folder, `${folder}/*`];
  const limits = [
    `--max-old-space-size=${heapMib}`,
    '--permission',
    '--allow-worker',
    // Node warns of threads on standard error, which is the person's.
    '--disable-warning=SecurityWarning',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...[folder, `${folder}/*`].map((path) => `--allow-fs-write=${path}`),
  ];
  // The single file takes options of Node from the environment only.
  const isSingleFile = start === undefined;
  const args = isSingleFile ? [] : [...flags, ...limits];
  const env = isSingleFile ? {NODE_OPTIONS: limits.map(quoted).join(' ')} : {};
  const child = spawn(program.file, [...args, ...program.args, 'ssh-session'], {
    env: {...env, ...fewThreads, HOME: folder},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  child.on('error', () => {});
  giveWay(child.pid);
  return child;
}

/** Quotes an option as Node reads NODE_OPTIONS. */
function quoted(option: string): string {
  return `"${option.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Returns why a folder cannot be named to the permission model; undefined if it can. */
export function folderProblem(folder: string): string | undefined {
  return folder.includes('*') ? 'SSH cannot be served from a data directory with * in its path.' : undefined;
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
  } catch {
    // It has ended, or the system does not allow it.
  }
}
