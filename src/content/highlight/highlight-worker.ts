import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {HighlightedLine} from './highlight-lines.ts';

/**
 * Colours are found in a thread of their own. Long code takes as long as several frames, code written against a grammar's
 * patterns any time at all, and neither may ever delay a key. This file is both ends: the worker's file is this one, so
 * that the bundle needs to know of no other.
 */

interface Job {
  readonly grammar: string;
  readonly code: string;
}

type Answer = 'begun' | {readonly lines: readonly HighlightedLine[] | undefined};

type Waiting = Job & {readonly patience: number; readonly resolve: (lines: Lines) => void};
type Lines = readonly HighlightedLine[] | undefined;

const threadName = 'highlighter';
/** Milliseconds without code to colour after which the thread and its memory are given back. */
const idleTime = 30_000;

const waiting: Waiting[] = [];
let worker: Worker | undefined;
let current: Waiting | undefined;
let timer: NodeJS.Timeout | undefined;

/** Undefined when the code takes longer than `patience` milliseconds. One code at a time, in order. */
export function highlightedLines(grammar: string, code: string, patience: number): Promise<Lines> {
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
  worker.postMessage({grammar: current.grammar, code: current.code} satisfies Job);
}

function startThread(): Worker {
  // What it might print must not reach the terminal.
  const thread = new Worker(new URL(import.meta.url), {
    workerData: threadName,
    stdout: true,
    stderr: true,
    env: {},
  });
  thread.on('message', (answer: Answer) => {
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

function finish(lines: Lines): void {
  const done = current;
  takeNext();
  done?.resolve(lines);
}

if (!isMainThread && workerData === threadName) {
  parentPort?.on('message', async ({grammar, code}: Job) => {
    const answer = (value: Answer): void => parentPort?.postMessage(value);
    try {
      const {loadGrammar, linesInColours} = await import('./highlight-lines.ts');
      await loadGrammar(grammar);
      answer('begun');
      answer({lines: linesInColours(grammar, code)});
    } catch {
      answer({lines: undefined}); // Plain code is as good an answer to whatever went wrong.
    }
  });
}
