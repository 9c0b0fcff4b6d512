import fc from 'fast-check';
import {expect, test} from 'vitest';
import {timelineState} from '#app/navigation/navigation.ts';
import * as eg from '#test/support/state-builders.ts';
import {timelineFixture} from './timeline-fixture.ts';
import {noon} from './timeline-frame.ts';

const message = (id: number, height: number) =>
  eg.message({
    id,
    senderId: 11 + (id % 3 === 0 ? 1 : 0),
    content: Array.from({length: height}, (_, at) => `${id}.${at}`).join('\n'),
    timestamp: noon - 86_400 + id * 60,
  });

const key = fc.constantFrom('j', 'k', 'J', 'K', 'Ctrl-D', 'Ctrl-U', 'Ctrl-E', 'Ctrl-Y', 'Home', 'G', '-');
const deed = fc.oneof(
  {weight: 8, arbitrary: fc.record({kind: fc.constant('key' as const), key})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('newer' as const), count: fc.nat(30)})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('older' as const), count: fc.nat(30)})},
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('size' as const),
      columns: fc.integer({min: 30, max: 160}),
      rows: fc.integer({min: 8, max: 50}),
    }),
  },
);
const heights = fc.array(fc.oneof(fc.integer({min: 1, max: 4}), fc.integer({min: 1, max: 60})), {
  minLength: 1,
  maxLength: 30,
});

test('whatever is pressed and whatever arrives, the pane is full and the cursor is in it', () => {
  fc.assert(
    fc.property(heights, fc.array(deed, {maxLength: 25}), (tall, deeds) => {
      const messages = tall.map((height, at) => message(1000 + at, height));
      const {press, join, resize, shown, app} = timelineFixture({messages, timeline: {hasOldest: false}});
      let [first, last] = [1000, 999 + tall.length];
      for (const one of deeds) {
        const before = shown();
        // Somebody who asked for what is not loaded yet is on the way there.
        const isThere = timelineState(app).openAt === undefined;
        if (one.kind === 'key') press(one.key);
        else if (one.kind === 'size') resize(one.columns, one.rows);
        else if (one.kind === 'newer') {
          join(
            'newer',
            Array.from({length: one.count}, () => message(++last, 1 + (last % 5))),
          );
          if (isThere) expect(shown()?.selected).toBe(before?.selected);
        } else {
          join('older', Array.from({length: one.count}, () => message(--first, 1 + (first % 5))).reverse());
          if (isThere) expect(shown()?.selected).toBe(before?.selected);
        }
        const {window, height, selected} = shown() ?? {};
        if (window === undefined || height === undefined) throw new Error('Nothing is shown');
        expect(window.lines.length).toBeLessThanOrEqual(height);
        if (window.lines.length < height) expect([window.isAtStart, window.isAtEnd]).toEqual([true, true]);
        expect(window.rows.map((row) => row.key)).toContain(selected);
      }
    }),
    {numRuns: 100},
  );
});
