import fc from 'fast-check';
import {test} from 'vitest';
import {inkBuilds} from './ink-builds.ts';
import {expectSameScreens} from './scene-fuzz.ts';
import {sceneRuns} from './scene-generators.ts';

const both = await inkBuilds();

test('boxes, panes, overlays and the cursor look the same with either output stage', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(both, scenes)),
    {numRuns: 30, seed: 1},
  );
});
