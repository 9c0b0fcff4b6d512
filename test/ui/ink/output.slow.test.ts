import fc from 'fast-check';
import {test} from 'vitest';
import {inkBuilds} from './ink-builds.ts';
import {expectSameFrames, frames} from './output-fuzz.ts';
import {expectSameScreens} from './scene-fuzz.ts';
import {sceneRuns} from './scene-generators.ts';

const both = await inkBuilds();

test('a terminal shows the same cells and cursor after each of many frames', async () => {
  await fc.assert(
    fc.asyncProperty(frames, (shown) => expectSameFrames(both, shown)),
    {numRuns: 100, seed: 2},
  );
}, 300_000);

test('trees of boxes look the same with either output stage, again and again', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(both, scenes)),
    {numRuns: 30, seed: 2},
  );
}, 300_000);
