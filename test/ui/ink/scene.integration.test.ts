import fc from 'fast-check';
import {test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import * as program from './ink-build-entry.tsx';
import {inkBuilds} from './ink-builds.ts';
import {expectSameScreens} from './scene-fuzz.ts';
import {placedSceneRuns, sceneRuns} from './scene-generators.ts';

/** `SCENE_RUNS=300` tries more trees. */
const runs = Number(process.env.SCENE_RUNS ?? fewOrAll(8, 60));

const builds = await inkBuilds();

test('output stage: boxes, panes, overlays and the cursor look the same as with stock Ink', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(builds, scenes)),
    {numRuns: runs, seed: 1},
  );
});

test('rectangles: panes that say where they are look the same as with Yoga', async () => {
  await fc.assert(
    fc.asyncProperty(placedSceneRuns, (scenes) => expectSameScreens({stock: builds.stock, patched: program}, scenes)),
    {numRuns: runs, seed: 1},
  );
});
