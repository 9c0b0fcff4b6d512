import {expect, test} from 'vitest';
import {invariant} from '#std/invariant.ts';

test('invariant throws with its reason only when the condition is falsy', () => {
  expect(() => invariant(false, 'ids ascend')).toThrow('Invariant broken: ids ascend');
  expect(() => invariant(1, 'never seen')).not.toThrow();
});
