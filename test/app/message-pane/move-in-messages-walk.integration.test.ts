import fc from 'fast-check';
import {expect, test} from 'vitest';
import {timelineState} from '#app/navigation/navigation.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {noon} from '#test/ui/message-pane/timeline-frame.ts';
import {timelineFixture} from './timeline-fixture.ts';

const message = (id: number, height: number) =>
  eg.message({
    id,
    senderId: 11 + (id % 3 === 0 ? 1 : 0),
    content: Array.from({length: height}, (_, at) => `${id}.${at}`).join('\n'),
    timestamp: noon - 86_400 + id * 60,
  });

const key = fc.constantFrom('j', 'k', 'J', 'K', 'Ctrl-D', 'Ctrl-U', 'Ctrl-E', 'Ctrl-Y', 'Home', 'G', '-');
const anyStep = fc.oneof(
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

test('timeline: for any keys and arrivals, the pane is full and the selection is visible', () => {
  fc.assert(
    fc.property(heights, fc.array(anyStep, {maxLength: 25}), (tall, steps) => {
      const messages = tall.map((height, at) => message(1000 + at, height));
      const {press, join, resize, shown, app} = timelineFixture({messages, timeline: {hasOldest: false}});
      let [first, last] = [1000, 999 + tall.length];
      for (const step of steps) {
        const before = shown();
        // While the requested messages load, the selection may change.
        const isThere = timelineState(app).openAt === undefined;
        if (step.kind === 'key') press(step.key);
        else if (step.kind === 'size') resize(step.columns, step.rows);
        else if (step.kind === 'newer') {
          join(
            'newer',
            Array.from({length: step.count}, () => message(++last, 1 + (last % 5))),
          );
          if (isThere) expect(shown()?.selected).toBe(before?.selected);
        } else {
          join('older', Array.from({length: step.count}, () => message(--first, 1 + (first % 5))).reverse());
          if (isThere) expect(shown()?.selected).toBe(before?.selected);
        }
        const {window, height, selected} = shown() ?? {};
        if (window === undefined || height === undefined) throw new Error('Nothing is shown');
        expect(window.lines.length).toBeLessThanOrEqual(height);
        if (window.lines.length < height) expect([window.isAtStart, window.isAtEnd]).toEqual([true, true]);
        expect(window.rows.map((row) => row.key)).toContain(selected);
      }
    }),
    {numRuns: fewOrAll(25, 200)},
  );
});
