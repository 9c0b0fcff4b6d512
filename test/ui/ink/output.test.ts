import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {inkBuilds} from './ink-builds.ts';
import {columns, expectSameFrames, frames, renderFrame, withoutSteering} from './output-fuzz.ts';

const both = await inkBuilds();

test('every frame is the text that Ink makes, wherever its parts lie and whatever cuts them', () => {
  fc.assert(
    fc.property(frames, (shown) => {
      for (const frame of shown) {
        const stock = renderFrame(both.stock, frame, false).split('\n');
        const ours = withoutSteering(renderFrame(both.swapped, frame, false)).split('\n');
        expect(ours.filter((row) => stringWidth(row) > columns)).toEqual([]);
        // Ink lets rows be wider than the screen.
        const isWhole = stock.map((row) => stringWidth(row) <= columns);
        expect(ours.filter((_, y) => isWhole[y])).toEqual(stock.filter((_, y) => isWhole[y]));
      }
    }),
    {numRuns: 120, seed: 1},
  );
}, 60_000);

test('a terminal shows the same cells and the same cursor after every frame', async () => {
  await fc.assert(
    fc.asyncProperty(frames, (shown) => expectSameFrames(both, shown)),
    {numRuns: 70, seed: 1},
  );
}, 60_000);
