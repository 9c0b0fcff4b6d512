import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf} from '#terminal/input/key.ts';
import {StartupKeyGate} from '#terminal/startup-key-gate.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const key = (name: string): InputEvent => ({kind: 'key', key: keyOf(name)});
const answer: InputEvent = {kind: 'reply', reply: {type: 'status'}};

function staged() {
  const clock = new ManualClock();
  const written: string[] = [];
  /** The delivered keys, in order; unseen ones with a `?`. */
  const taken: string[] = [];
  const sight = new StartupKeyGate({
    clock,
    write: (sequence) => void written.push(sequence),
    deliver: (events, isSeen) => {
      for (const event of events) {
        if (event.kind === 'key') taken.push(isSeen ? event.key.name : `${event.key.name}?`);
      }
    },
  });
  return {clock, written, taken, sight, press: (...names: string[]) => sight.handleEvents(names.map(key))};
}

test('key gate: events before any content are delivered at once as unseen', () => {
  const {sight, press, taken, written} = staged();
  sight.onPaint({}, false);
  press('a', 'b');
  expect(taken).toEqual(['a?', 'b?']);
  expect(written).toEqual([]);
});

test('key gate: keys typed before the first frame count as unseen, although they are read after it', () => {
  const {sight, press, taken, written} = staged();
  const app = {};
  sight.onPaint(app, true);
  expect(written).toEqual(['\u001b[5n']);
  press('a');
  expect(taken).toEqual([]);
  sight.handleEvents([key('b'), answer, key('c')]);
  sight.onPaint(app, true);
  press('d');
  expect(taken).toEqual(['a?', 'b?', 'c', 'd']);
  expect(written).toHaveLength(1);
});

test('key gate: an app whose rows were on the screen of another gets its keys at once', () => {
  const {sight, press, taken, written} = staged();
  const [one, other] = [{}, {}];
  sight.onPaint(one, true);
  sight.handleEvents([answer]);
  sight.noteSeen(other);
  sight.onPaint(other, true);
  press('e');
  expect(taken).toEqual(['e']);
  expect(written).toHaveLength(1);
});

test('key gate: a terminal that does not reply loses no key', () => {
  const {sight, press, taken, clock} = staged();
  sight.onPaint({}, true);
  press('a', 'b');
  clock.advance(1000);
  press('c');
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('key gate: a terminal that did not reply is not waited for again, until it replies', () => {
  const {sight, press, taken, clock, written} = staged();
  sight.onPaint({}, true);
  clock.advance(1000);
  sight.onPaint({}, true);
  press('a');
  expect(taken).toEqual(['a']);
  expect(written).toHaveLength(1);
  sight.handleEvents([answer]);
  sight.onPaint({}, true);
  expect(written).toHaveLength(2);
});

test('key gate: each app is seen separately, and stays seen', () => {
  const {sight, press, taken, written} = staged();
  const [one, other] = [{}, {}];
  sight.onPaint(one, true);
  sight.handleEvents([answer]);
  sight.onPaint(other, false);
  press('a');
  sight.onPaint(one, true);
  press('b');
  sight.onPaint(other, true);
  sight.handleEvents([key('c'), answer, key('d')]);
  expect(taken).toEqual(['a?', 'b', 'c?', 'd']);
  expect(written).toHaveLength(2);
});

test('key gate: however reads are split, every key is delivered once, in order, and on the right side of the reply', () => {
  const letters = [...'abcdefgh'];
  fc.assert(
    fc.property(fc.nat(8), fc.array(fc.nat(9), {maxLength: 5}), (at, cuts) => {
      const {sight, taken} = staged();
      sight.onPaint({}, true);
      const events = [...letters.slice(0, at).map(key), answer, ...letters.slice(at).map(key)];
      const ends = [...cuts, events.length].sort((a, b) => a - b);
      for (const [nth, end] of ends.entries()) sight.handleEvents(events.slice(ends[nth - 1] ?? 0, end));
      expect(taken).toEqual(letters.map((letter, nth) => (nth < at ? `${letter}?` : letter)));
    }),
  );
});
