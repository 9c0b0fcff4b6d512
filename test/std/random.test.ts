import {expect, test} from 'vitest';
import {Random} from '#std/random.ts';

const draw = (seed: number) => {
  const random = new Random(seed);
  return Array.from({length: 1000}, () => random.next());
};

test('random: the same seed gives the same numbers, another seed others', () => {
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test('random: numbers are spread over [0, 1)', () => {
  const numbers = draw(7);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
});
