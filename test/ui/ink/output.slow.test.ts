import fc from 'fast-check';
import {test} from 'vitest';
import {inkBuilds} from './ink-builds.ts';
import {expectSameFrames, frames} from './output-fuzz.ts';
import {expectSameScreens} from './scene-fuzz.ts';
import {sceneRuns} from './scene-generators.ts';

const builds = await inkBuilds();

test('output stage: a terminal shows the same cells and cursor as with stock Ink, over many frames', async () => {
  await fc.assert(
    fc.asyncProperty(frames, (shown) => expectSameFrames(builds, shown)),
    {numRuns: 100, seed: 2},
  );
}, 300_000);

test('output stage: many trees of boxes look the same as with stock Ink', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(builds, scenes)),
    {numRuns: 30, seed: 2},
  );
}, 300_000);
