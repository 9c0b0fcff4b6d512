import {expect, test} from 'vitest';
import {testedLevels} from '#test/support/tested-levels.ts';
import {currentLevel, levels, minimumLevel, releases} from '#wire/levels.ts';

test('levels are sorted and not above the current level', () => {
  const all = Object.values(levels);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(Math.max(...all)).toBeLessThanOrEqual(currentLevel);
});

test('tested levels range from the oldest supported level to the current one', () => {
  expect(testedLevels[0]).toBe(minimumLevel);
  expect(testedLevels.at(-1)).toBe(currentLevel);
  expect(Object.values(releases).filter((level) => testedLevels.includes(level))).toHaveLength(7);
});
