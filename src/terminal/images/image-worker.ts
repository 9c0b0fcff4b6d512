/**
 * Decodes, scales and encodes images in a worker thread: a large one takes seconds, and a file that is made for it can take all
 * memory or never end. Jobs run one at a time, in order.
 */

import {Worker} from 'node:worker_threads';
import {isRunningSources, readProgramFile} from '#std/program-files.ts';
import type {ImageJob, ImageReply, ThreadReply} from './image-thread.ts';

interface QueuedJob extends ImageJob {
  readonly timeoutMs: number;
  readonly resolve: (reply: ImageReply) => void;
}

/** The worker is terminated after this time without work, to free its memory. */
const idleTimeoutMs = 5000;
const jobTimeoutMs = 10_000;
/** The heap of the worker, without the decoder's own memory, which `image-thread.ts` bounds. Encoded images are texts. */
const resourceLimits = {maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8};

const queue: QueuedJob[] = [];
let worker: Worker | undefined;
let current: QueuedJob | undefined;
let timer: NodeJS.Timeout | undefined;

/** Returns the image, or why it cannot be shown. An aborted job that has not begun is left out; its promise never settles. */
export function encodeInWorker(job: ImageJob, signal: AbortSignal, timeoutMs = jobTimeoutMs): Promise<ImageReply> {
  return new Promise((resolve) => {
    const queued = {...job, timeoutMs, resolve};
    queue.push(queued);
    signal.addEventListener('abort', () => queue.includes(queued) && queue.splice(queue.indexOf(queued), 1));
    if (current === undefined) takeNext();
  });
}

function takeNext(): void {
  clearTimeout(timer);
  current = queue.shift();
  if (current === undefined) {
    timer = setTimeout(stopWorker, idleTimeoutMs).unref();
    return;
  }
  worker ??= startWorker();
  const {file, box, target, id, timeoutMs} = current;
  worker.postMessage({file, box, target, id} satisfies ImageJob);
  timer = setTimeout(() => giveUp('Decoding the image took too long.'), timeoutMs).unref();
}

function startWorker(): Worker {
  // Output of the worker must not reach the terminal.
  const options = {stdout: true, stderr: true, env: {}, resourceLimits};
  const thread = isRunningSources()
    ? new Worker(new URL('./image-thread.ts', import.meta.url), {
        ...options,
        workerData: readProgramFile('node_modules/@cf-wasm/photon/dist/lib/photon_rs_bg.wasm'),
      })
    : new Worker(readProgramFile('image-thread.cjs').toString('latin1'), {
        ...options,
        workerData: readProgramFile('photon.wasm'),
        eval: true,
      });
  // The program may end while an image is decoded.
  thread.unref();
  thread.on('message', ({reply, isSpent}: ThreadReply) => {
    if (thread !== worker) return;
    if (isSpent) stopWorker();
    finish(reply);
  });
  const end = (): void => {
    if (thread === worker) giveUp('Decoding the image took too much memory.');
  };
  thread.on('error', end);
  thread.on('exit', end);
  return thread;
}

/** Terminates the worker, which works even while it decodes. */
function giveUp(problem: string): void {
  stopWorker();
  finish({problem});
}

function stopWorker(): void {
  const ended = worker;
  worker = undefined;
  void ended?.terminate();
}

function finish(reply: ImageReply): void {
  const done = current;
  takeNext();
  done?.resolve(reply);
}
