import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {expect, onTestFinished, test} from 'vitest';
import type {ImageJob} from '#terminal/images/image-thread.ts';
import {limitWasmMemory} from '#terminal/images/limit-wasm-memory.ts';
import {pngFile} from '#test/support/images/image-files.ts';
import {iccp, largePng, webpWith} from '#test/support/images/memory-images.ts';
import {drawnPixels} from '#test/support/images/terminal-images.ts';
import {slowTest} from '#test/support/tier.ts';

const decoder = 'node_modules/@cf-wasm/photon/dist/lib/photon_rs_bg.wasm';
const target = {protocol: 'half-blocks', inTmux: false, cell: {width: 8, height: 16}, hasTrueColor: true} as const;

/** Starts the worker's thread alone; returns what decodes a file in it. */
function imageThread() {
  const url = new URL('../../../src/terminal/images/image-thread.ts', import.meta.url);
  const thread = new Worker(url, {workerData: readFileSync(decoder)});
  onTestFinished(() => void thread.terminate());
  return async (file: Buffer) => {
    thread.postMessage({file, box: {columns: 8, rows: 4}, target, id: 1} satisfies ImageJob);
    const [answer] = await once(thread, 'message');
    return answer;
  };
}

const small = pngFile(drawnPixels(64, 64, () => [250, 10, 10]));

test('images: the worker is given up after an image that took much memory, whatever the size of its file', async () => {
  const decode = imageThread();
  expect(await decode(small)).toMatchObject({reply: {image: {}}, isSpent: false});
  const large = largePng(3000, 8, false);
  expect(large.length).toBeLessThan(100_000);
  expect(await decode(large)).toMatchObject({reply: {image: {}}, isSpent: true});
});

slowTest('images: a profile that is compressed to a thousandth takes no memory', async () => {
  const decode = imageThread();
  expect(await decode(iccp(128 * 1024 * 1024))).toMatchObject({reply: {image: {}}, isSpent: false});
});

test('images: a WebP with metadata is shown', async () => {
  const metadata = Buffer.alloc(1001);
  const file = webpWith(['ICCP', metadata], ['EXIF', metadata], ['XMP ', metadata]);
  expect(await imageThread()(file)).toMatchObject({reply: {image: {}}, isSpent: false});
});

test('memory of a module: with a maximum it cannot grow beyond it', () => {
  const name = Buffer.from('memory');
  const module = Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[5, 3, 1, 0, 2],
    ...[7, name.length + 4, 1, name.length, ...name, 2, 0],
  ]);
  const memoryOf = (wasm: Uint8Array) => new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.memory;
  expect(memoryOf(module)?.grow(300)).toBe(2);
  const limited = memoryOf(limitWasmMemory(module, 300));
  expect(limited?.grow(298)).toBe(2);
  expect(() => limited?.grow(1)).toThrow(RangeError);
  expect(() => limitWasmMemory(module.subarray(0, 8), 300)).toThrow('no memory');
  expect(() => limitWasmMemory(limitWasmMemory(module, 300), 400)).toThrow('no memory');
});

test('memory of a module: the decoder has one that can be limited', () => {
  expect(new WebAssembly.Module(limitWasmMemory(readFileSync(decoder), 8192))).toBeDefined();
});
