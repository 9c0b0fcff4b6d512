import {expect, test} from 'vitest';
import {Semaphore} from '#std/semaphore.ts';

test('no more than allowed at once, each in turn, failures included', async () => {
  const slots = new Semaphore(2);
  const gates = Array.from({length: 4}, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const work = gates.map((gate, n) =>
    slots.run(() => {
      begun.push(n);
      return gate.promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('no'));
  await expect(work[1]).rejects.toThrow('no');
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, gate] of gates.entries()) gate.resolve(n);
  expect(await Promise.all([work[0], work[2], work[3]])).toEqual([0, 2, 3]);
  expect(await slots.run(async () => 'again')).toBe('again');
});
