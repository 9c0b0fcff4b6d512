import {expect, test} from 'vitest';
import {currentLevel, levels, minimumLevel, releases, testedLevels} from '#wire/levels.ts';

test('levels ascend and lie within what the server speaks', () => {
  const all = Object.values(levels);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(Math.max(...all)).toBeLessThanOrEqual(currentLevel);
});

test('profiles run from the oldest supported server to the present one', () => {
  expect(testedLevels[0]).toBe(minimumLevel);
  expect(testedLevels.at(-1)).toBe(currentLevel);
  expect(
    Object.values(releases).filter((level) => (testedLevels as readonly number[]).includes(level)),
  ).toHaveLength(7);
});
