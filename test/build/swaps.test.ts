import {build} from 'esbuild';
import {expect, test} from 'vitest';
import {inkStage} from '#build/ink-stage.ts';
import {quickStart} from '#build/quick-start.ts';
import {swaps} from '#build/swaps.ts';

/** Ink bundled with other plugins than the program's. */
function bundledInk(plugins: Parameters<typeof build>[0]['plugins'] = []) {
  return build({
    stdin: {contents: "export {render} from 'ink';", resolveDir: process.cwd()},
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [...plugins, quickStart()],
  });
}

test('a bundle is not made for an Ink whose files have changed', async () => {
  const changed = swaps.map((swap) =>
    swap.file === 'output.js' ? {...swap, sha256: swap.sha256.replaceAll(/[0-9]/g, '0')} : swap,
  );
  await expect(bundledInk([inkStage(process.cwd(), changed)])).rejects.toThrow(
    /ink\/build\/output\.js has changed \(sha256 [0-9a-f]{64}\), so the output stage in src\/ui\/ink may not fit/,
  );
});

test('nor for one that has no such file any more', async () => {
  const gone = [...swaps, {file: 'gone.js', sha256: '', code: () => ''}];
  await expect(bundledInk([inkStage(process.cwd(), gone)])).rejects.toThrow(/ink\/build\/gone\.js is gone/);
});

test('nor when a package has other text than the one to be changed', async () => {
  const edits = [{file: /[\\/]react[\\/]index\.js$/, changes: [['not in it', '']] as const}];
  await expect(bundledInk([quickStart(edits)])).rejects.toThrow(/has changed: “not in it” is not in it once/);
});

test('this Ink is the one that the stage was written for', async () => {
  const {outputFiles} = await bundledInk([inkStage(process.cwd())]);
  expect(outputFiles[0]?.text).toContain('foldedMoves(buffer.join');
});
