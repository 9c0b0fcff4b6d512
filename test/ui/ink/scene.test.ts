import fc from 'fast-check';
import {test} from 'vitest';
import {expectSameScreens} from './scene-fuzz.ts';
import {sceneRuns} from './scenes.ts';
import {stages} from './stages.ts';

const both = await stages();

test('boxes, panes, overlays and the cursor look the same with either output stage', async () => {
  await fc.assert(
    fc.asyncProperty(sceneRuns, (scenes) => expectSameScreens(both, scenes)),
    {numRuns: 30, seed: 1},
  );
});
