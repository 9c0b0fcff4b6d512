import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf} from '#terminal/input/key.ts';
import {FirstSight} from '#terminal/startup-key-gate.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const key = (name: string): InputEvent => ({kind: 'key', key: keyOf(name)});
const answer: InputEvent = {kind: 'reply', reply: {type: 'status'}};

function staged() {
  const clock = new ManualClock();
  const written: string[] = [];
  /** The keys that came, in order: those that nobody can have meant with a `?`. */
  const taken: string[] = [];
  const sight = new FirstSight({
    clock,
    write: (sequence) => void written.push(sequence),
    deliver: (events, isSeen) => {
      for (const event of events) {
        if (event.kind === 'key') taken.push(isSeen ? event.key.name : `${event.key.name}?`);
      }
    },
  });
  return {clock, written, taken, sight, press: (...names: string[]) => sight.take(names.map(key))};
}

test('what comes while there is nothing to see is told at once, as that', () => {
  const {sight, press, taken, written} = staged();
  sight.show({}, false);
  press('a', 'b');
  expect(taken).toEqual(['a?', 'b?']);
  expect(written).toEqual([]);
});

test('what the terminal had before the first picture came before it, though it is read after', () => {
  const {sight, press, taken, written} = staged();
  const app = {};
  sight.show(app, true);
  expect(written).toEqual(['\u001b[5n']);
  press('a');
  expect(taken).toEqual([]);
  sight.take([key('b'), answer, key('c')]);
  sight.show(app, true);
  press('d');
  expect(taken).toEqual(['a?', 'b?', 'c', 'd']);
  expect(written).toHaveLength(1);
});

test('a terminal that does not answer loses no key', () => {
  const {sight, press, taken, clock} = staged();
  sight.show({}, true);
  press('a', 'b');
  clock.advance(1000);
  press('c');
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('a terminal that did not answer is not waited for again, until it does answer', () => {
  const {sight, press, taken, clock, written} = staged();
  sight.show({}, true);
  clock.advance(1000);
  sight.show({}, true);
  press('a');
  expect(taken).toEqual(['a']);
  expect(written).toHaveLength(1);
  sight.take([answer]);
  sight.show({}, true);
  expect(written).toHaveLength(2);
});

test('each thing that is shown is seen for itself, and stays so', () => {
  const {sight, press, taken, written} = staged();
  const [one, other] = [{}, {}];
  sight.show(one, true);
  sight.take([answer]);
  sight.show(other, false);
  press('a');
  sight.show(one, true);
  press('b');
  sight.show(other, true);
  sight.take([key('c'), answer, key('d')]);
  expect(taken).toEqual(['a?', 'b', 'c?', 'd']);
  expect(written).toHaveLength(2);
});

test('however the reads are divided, every key is told once, in order, and by the answer', () => {
  const letters = [...'abcdefgh'];
  fc.assert(
    fc.property(fc.nat(8), fc.array(fc.nat(9), {maxLength: 5}), (at, cuts) => {
      const {sight, taken} = staged();
      sight.show({}, true);
      const events = [...letters.slice(0, at).map(key), answer, ...letters.slice(at).map(key)];
      const ends = [...cuts, events.length].sort((a, b) => a - b);
      for (const [nth, end] of ends.entries()) sight.take(events.slice(ends[nth - 1] ?? 0, end));
      expect(taken).toEqual(letters.map((letter, nth) => (nth < at ? `${letter}?` : letter)));
    }),
  );
});
