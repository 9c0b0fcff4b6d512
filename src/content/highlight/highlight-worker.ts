/**
 * Highlights code in a worker thread. Long code takes as long as several frames, and code that makes a grammar's patterns
 * backtrack takes unlimited time; neither may delay a key press.
 */

import {Worker} from 'node:worker_threads';
import {isRunningSources, readProgramFile} from '#std/program-files.ts';
import type {HighlightedLine} from './highlight-lines.ts';
import type {HighlightJob, WorkerReply} from './highlight-thread.ts';

type QueuedJob = HighlightJob & {
  readonly timeoutMs: number;
  readonly resolve: (lines: HighlightResult) => void;
};
type HighlightResult = readonly HighlightedLine[] | undefined;

/** The worker is terminated after this time without work, to free its memory: more than ten megabytes. */
const idleTimeoutMs = 5000;
/** Enough for all grammars and the longest code. Beyond it the worker ends, and the code is shown without colours. */
const resourceLimits = {maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2};

const queue: QueuedJob[] = [];
let worker: Worker | undefined;
let current: QueuedJob | undefined;
let timer: NodeJS.Timeout | undefined;

/** Returns undefined when the code takes longer than `timeoutMs`. Jobs run one at a time, in order. */
export function highlightInWorker(grammar: string, code: string, timeoutMs: number): Promise<HighlightResult> {
  return new Promise((resolve) => {
    queue.push({grammar, code, timeoutMs, resolve});
    if (current === undefined) takeNext();
  });
}

function takeNext(): void {
  clearTimeout(timer);
  current = queue.shift();
  if (current === undefined) {
    worker?.unref();
    timer = setTimeout(stopWorker, idleTimeoutMs).unref();
    return;
  }
  worker ??= startWorker();
  worker.ref();
  worker.postMessage({grammar: current.grammar, code: current.code} satisfies HighlightJob);
}

function startWorker(): Worker {
  // Output of the worker must not reach the terminal.
  const options = {stdout: true, stderr: true, env: {}, resourceLimits};
  const thread = isRunningSources()
    ? new Worker(new URL('./highlight-thread.ts', import.meta.url), options)
    : new Worker(readProgramFile('highlight-thread.cjs').toString('latin1'), {...options, eval: true});
  thread.on('message', (reply: WorkerReply) => {
    if (thread !== worker) return;
    // The time for loading grammars does not count towards the timeout.
    if (reply === 'begun') timer = setTimeout(giveUp, current?.timeoutMs);
    else finish(reply.lines);
  });
  const end = (): void => {
    if (thread === worker) giveUp();
  };
  thread.on('error', end);
  thread.on('exit', end);
  return thread;
}

/** Terminates the worker, which works even while it runs a regular expression. */
function giveUp(): void {
  stopWorker();
  finish(undefined);
}

function stopWorker(): void {
  const ended = worker;
  worker = undefined;
  void ended?.terminate();
}

function finish(lines: HighlightResult): void {
  const done = current;
  takeNext();
  done?.resolve(lines);
}
