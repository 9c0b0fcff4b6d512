import {expect, test} from 'vitest';
import {mapAhead} from '#std/map-ahead.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let at = 0; at < count; at++) yield at;
}

test('map ahead: results are in the order of the items, and at most so many run at once', async () => {
  let [running, most] = [0, 0];
  const release: (() => void)[] = [];
  const results: number[] = [];
  const run = async (item: number) => {
    most = Math.max(most, ++running);
    // Each item ends after the next one has begun, except the last.
    release[item - 1]?.();
    if (item < 9) await new Promise<void>((resolve) => (release[item] = resolve));
    running--;
    return item * 10;
  };
  for await (const result of mapAhead(numbers(10), 3, run)) results.push(result);
  expect(results).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  expect(most).toBeLessThanOrEqual(4);
});

test('map ahead: a failure ends the loop after all that had begun', async () => {
  const ended: number[] = [];
  const run = async (item: number) => {
    if (item === 1) throw new Error('one');
    await Promise.resolve();
    ended.push(item);
    return item;
  };
  const collect = async () => {
    for await (const _ of mapAhead(numbers(10), 3, run));
  };
  await expect(collect()).rejects.toThrow('one');
  expect(ended).toEqual([0, 2, 3, 4]);
});
