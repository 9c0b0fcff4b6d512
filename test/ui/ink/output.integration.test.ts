import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {inkBuilds} from './ink-builds.ts';
import {columns, expectSameFrames, frames, renderFrame, styledCharacters} from './output-fuzz.ts';

/** `FRAME_RUNS=1000` tries more frames. */
const runs = Number(process.env.FRAME_RUNS ?? fewOrAll(20, 150));

const builds = await inkBuilds();

test('output stage: the text of a frame is the same as with stock Ink, at any position and with any clips', () => {
  fc.assert(
    fc.property(frames, (shown) => {
      for (const frame of shown) {
        const stock = renderFrame(builds.stock, frame, false).split('\n');
        const ours = renderFrame(builds.patched, frame, false).split('\n');
        expect(ours.filter((row) => stringWidth(row) > columns)).toEqual([]);
        // Stock Ink writes rows that are wider than the screen.
        const fits = stock.map((row) => stringWidth(row) <= columns);
        const fitting = (rows: readonly string[]) => rows.filter((_, y) => fits[y]).map(styledCharacters);
        expect(fitting(ours)).toEqual(fitting(stock));
      }
    }),
    {numRuns: runs, seed: 1},
  );
}, 60_000);

test('output stage: a terminal shows the same cells and cursor as with stock Ink after each frame', async () => {
  await fc.assert(
    fc.asyncProperty(frames, (shown) => expectSameFrames(builds, shown)),
    {numRuns: runs, seed: 1},
  );
}, 60_000);
