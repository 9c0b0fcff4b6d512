import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type DeedKind, deeds, perform} from './deeds.ts';
import {lookAround} from './looks.ts';
import {Stage} from './stage.ts';

const kinds = Object.keys(deeds) as DeedKind[];
const often: DeedKind[] = [
  'send',
  'send',
  'send',
  'tell',
  'move',
  'move',
  'retitle',
  'join',
  'add',
  'leave',
  'remove',
];
const number = fc.nat(1023);
const deed = fc.record({
  kind: fc.constantFrom(...kinds, ...often, ...often),
  actor: number,
  a: number,
  b: number,
  c: number,
});

const runs = Number(process.env.SAFETY_RUNS ?? 12);
const seed = Number(process.env.SAFETY_SEED ?? 20_260_101);
const length = Number(process.env.SAFETY_LENGTH ?? 24);

test('nobody receives what they may not see, and what they receive adds up to what is', {
  timeout: 6_000_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, {minLength: length >> 1, maxLength: length}), async (script) => {
      const stage = await Stage.open(process.env.SAFETY_THOROUGH !== undefined);
      try {
        for (const step of script) {
          await perform(stage, step);
          expect(stage.inspector.problems).toEqual([]);
        }
        for (const person of stage.people) {
          if (stage.oracle.now.users.get(person.id)?.isActive) await lookAround(stage, person);
        }
        expect(stage.inspector.problems).toEqual([]);
        expect((await stage.settle()).join('\n')).toBe('');
        expect(stage.inspector.problems).toEqual([]);
      } finally {
        await stage.close();
      }
    }),
    {numRuns: runs, seed, endOnFailure: process.env.SAFETY_NOSHRINK !== undefined},
  );
});
