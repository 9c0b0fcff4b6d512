import fc from 'fast-check';
import {test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {inkBuilds} from './ink-builds.ts';
import {expectSameScreens} from './scene-fuzz.ts';
import {sceneRuns} from './scene-generators.ts';

/** `SCENE_RUNS=300` tries more trees. */
const runs = Number(process.env.SCENE_RUNS ?? fewOrAll(8, 60));

const builds = await inkBuilds();

test('output stage: boxes, panes, overlays and the cursor look the same as with stock Ink', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(builds, scenes)),
    {numRuns: runs, seed: 1},
  );
});
