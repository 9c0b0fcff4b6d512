import {expect, test} from 'vitest';
import {Semaphore} from '#std/semaphore.ts';

test('semaphore: at most two tasks run at once, in order, and a failed task frees its slot', async () => {
  const slots = new Semaphore(2);
  const gates = Array.from({length: 4}, () => Promise.withResolvers<number>());
  const started: number[] = [];
  const work = gates.map((gate, n) =>
    slots.run(() => {
      started.push(n);
      return gate.promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  gates[1]?.reject(new Error('no'));
  await expect(work[1]).rejects.toThrow('no');
  expect(started).toEqual([0, 1, 2]);
  for (const [n, gate] of gates.entries()) gate.resolve(n);
  expect(await Promise.all([work[0], work[2], work[3]])).toEqual([0, 2, 3]);
  expect(await slots.run(async () => 'again')).toBe('again');
});
