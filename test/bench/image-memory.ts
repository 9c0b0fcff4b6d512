/**
 * node test/bench/image-memory.ts
 *
 * Prints how much memory a process has at most while an image is decoded, for images that are made to take much.
 */

import {fork} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {encodeInWorker} from '#terminal/images/image-worker.ts';
import {memoryImages} from '#test/support/images/memory-images.ts';
import {printTable} from './table.ts';

const [name] = process.argv.slice(2);
if (name === undefined) await printAll();
else await measure(memoryImages[name]?.() ?? Buffer.alloc(0));

async function printAll(): Promise<void> {
  const rows: string[][] = [];
  for (const each of Object.keys(memoryImages)) {
    const child = fork(import.meta.filename, [each]);
    const cells = await new Promise<string[]>((resolve) => child.once('message', resolve as () => void));
    rows.push([each, ...cells]);
  }
  printTable('Memory of images', ['', 'file', 'before', 'most', 'time', 'result'], rows);
}

async function measure(file: Buffer): Promise<void> {
  const target = {protocol: 'half-blocks', inTmux: false, cell: {width: 8, height: 16}, hasTrueColor: true} as const;
  const job = {file, box: {columns: 20, rows: 10}, target, id: 1};
  const before = memory('VmRSS');
  const start = performance.now();
  const reply = await encodeInWorker(job, new AbortController().signal);
  const took = performance.now() - start;
  const most = memory('VmHWM');
  const result = 'problem' in reply ? reply.problem : 'shown';
  const size = `${(file.length / 1024).toFixed(0)} KiB`;
  process.send?.([size, `${before} MiB`, `${most} MiB`, `${took.toFixed(0)} ms`, result], () => process.exit());
}

function memory(field: string): number {
  const [, kib] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}
