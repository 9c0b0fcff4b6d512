import type {ChildProcess} from 'node:child_process';
import {existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {FrontOptions} from './front-messages.ts';
import type {FromSession} from './session-messages.ts';
import {startSessionProcess} from './session-process.ts';

/** A process that waits for a person, and the link that becomes their folder. */
export interface WaitingSession {
  readonly child: ChildProcess;
  readonly link: string;
}

/** A process that is not ready after this time is given up. */
const readyMs = 30_000;
/** After this time, the sessions of an earlier SSH process have ended. */
const leftMs = 15_000;

/**
 * Starts the processes of sessions. One always waits, because a start takes longer than a log-in. The permission model names the folder
 * of a process at its start: it is a link, which leads to the folder of a person when somebody has logged in.
 */
export class SessionPool {
  readonly #options: FrontOptions;
  readonly #links: string;
  #waiting: Promise<WaitingSession> | undefined;
  #isStopped = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    const all = join(options.folder, 'sessions');
    mkdirSync(all, {recursive: true, mode: 0o700});
    this.#links = mkdtempSync(join(all, 'of-'));
    // The sessions of an SSH process that was killed save what they have through their links.
    setTimeout(() => this.#removeOthers(all), leftMs).unref();
    this.prepare();
  }

  /** Starts a process for the next person. */
  prepare(): void {
    if (this.#isStopped) return;
    const waiting = this.#start();
    this.#waiting = waiting;
    waiting.catch(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
  }

  /** Gives the next process to a person, whose folder it uses from then on. */
  async take(userId: number): Promise<WaitingSession> {
    const waiting = this.#waiting ?? this.#start();
    this.#waiting = undefined;
    this.prepare();
    const session = await waiting;
    const folder = personFolder(this.#options.folder, userId);
    mkdirSync(folder, {recursive: true, mode: 0o700});
    symlinkSync(folder, session.link);
    return session;
  }

  stop(): void {
    this.#isStopped = true;
    void this.#waiting?.then(({child}) => child.kill('SIGKILL')).catch(() => {});
  }

  #removeOthers(all: string): void {
    for (const name of readdirSync(all)) {
      if (name === basename(this.#links)) continue;
      killSessionsWith(join(all, name));
      rmSync(join(all, name), {recursive: true, force: true});
    }
  }

  async #start(): Promise<WaitingSession> {
    const name = Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('hex');
    const link = join(this.#links, name);
    const child = startSessionProcess({...this.#options, folder: link});
    child.once('exit', () => rmSync(link, {force: true}));
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), readyMs);
      const end = () => {
        clearTimeout(timer);
        child.off('message', onMessage);
      };
      const onMessage = (message: FromSession) => {
        if (message.kind !== 'ready') return;
        end();
        resolve();
      };
      child.on('message', onMessage);
      child.once('exit', (code, signal) => {
        end();
        reject(new Error(`A session ended before it was ready (${code ?? signal}).`));
      });
    });
    return {child, link};
  }
}

/** Kills processes whose command line has a path that nothing else has: sessions that did not end when their SSH process did. */
function killSessionsWith(path: string): void {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  for (const pid of processes) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
}

/** Returns the folder with the drafts, the outbox and the settings that a person has over SSH. */
export function personFolder(folder: string, userId: number): string {
  return join(folder, 'people', String(userId));
}

/** Each file takes at least this much, so that what is looked at regularly has a limited number of files. */
const minFileBytes = 4096;

/** Returns the bytes of the files and folders in a folder. Links are not followed. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const path of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
    const stats = lstatSync(join(folder, path), {throwIfNoEntry: false});
    if (stats !== undefined) bytes += Math.max(stats.size, minFileBytes);
  }
  return bytes;
}
