import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {HighlightedLine} from './highlight-lines.ts';

/**
 * Colours are found in a thread of their own. Long code takes as long as several frames, code written against a grammar's
 * patterns any time at all, and neither may ever delay a key. This file is both ends: the worker's file is this one, so
 * that the bundle needs to know of no other.
 */

interface HighlightJob {
  readonly grammar: string;
  readonly code: string;
}

type WorkerReply = 'begun' | {readonly lines: readonly HighlightedLine[] | undefined};

type QueuedJob = HighlightJob & {
  readonly patience: number;
  readonly resolve: (lines: HighlightResult) => void;
};
type HighlightResult = readonly HighlightedLine[] | undefined;

const threadName = 'highlighter';
/** Milliseconds without code to colour after which the thread and its memory are given back. */
const idleTime = 30_000;

const waiting: QueuedJob[] = [];
let worker: Worker | undefined;
let current: QueuedJob | undefined;
let timer: NodeJS.Timeout | undefined;

/** Undefined when the code takes longer than `patience` milliseconds. One code at a time, in order. */
export function highlightInWorker(grammar: string, code: string, patience: number): Promise<HighlightResult> {
  return new Promise((resolve) => {
    waiting.push({grammar, code, patience, resolve});
    if (current === undefined) takeNext();
  });
}

function takeNext(): void {
  clearTimeout(timer);
  current = waiting.shift();
  if (current === undefined) {
    worker?.unref();
    timer = setTimeout(endThread, idleTime).unref();
    return;
  }
  worker ??= startThread();
  worker.ref();
  worker.postMessage({grammar: current.grammar, code: current.code} satisfies HighlightJob);
}

function startThread(): Worker {
  // What it might print must not reach the terminal.
  const thread = new Worker(new URL(import.meta.url), {
    workerData: threadName,
    stdout: true,
    stderr: true,
    env: {},
  });
  thread.on('message', (answer: WorkerReply) => {
    if (thread !== worker) return;
    // What had to be loaded first is not the code's time.
    if (answer === 'begun') timer = setTimeout(giveUp, current?.patience);
    else finish(answer.lines);
  });
  const end = (): void => {
    if (thread === worker) giveUp();
  };
  thread.on('error', end);
  thread.on('exit', end);
  return thread;
}

/** The engine itself stops the thread, even inside a regular expression. */
function giveUp(): void {
  endThread();
  finish(undefined);
}

function endThread(): void {
  const ended = worker;
  worker = undefined;
  void ended?.terminate();
}

function finish(lines: HighlightResult): void {
  const done = current;
  takeNext();
  done?.resolve(lines);
}

if (!isMainThread && workerData === threadName) {
  parentPort?.on('message', async ({grammar, code}: HighlightJob) => {
    const answer = (value: WorkerReply): void => parentPort?.postMessage(value);
    try {
      const {loadGrammar, highlightLines: linesInColours} = await import('./highlight-lines.ts');
      await loadGrammar(grammar);
      answer('begun');
      answer({lines: linesInColours(grammar, code)});
    } catch {
      answer({lines: undefined}); // Plain code is as good an answer to whatever went wrong.
    }
  });
}
