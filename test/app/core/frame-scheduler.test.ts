import {expect, test} from 'vitest';
import type {Frame} from '#app/core/frame.ts';
import {FrameScheduler} from '#app/core/frame-scheduler.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

function stage() {
  const clock = new ManualClock();
  let [newest, isBlocked] = [0, false];
  let taken: (() => void) | undefined;
  const blank = egFrame();
  const shown: number[] = [];
  const framesOf = new Map<Frame, number>();
  const source = {
    frame: (): Frame => {
      const known = [...framesOf].find(([, number]) => number === newest)?.[0];
      const frame = known ?? {...blank};
      framesOf.set(frame, newest);
      return frame;
    },
    isBlocked: () => isBlocked,
    whenDrained: (task: () => void) => {
      taken = task;
    },
  };
  const frames = new FrameScheduler(source, clock);
  frames.subscribe(() => shown.push(framesOf.get(frames.paintedFrame) ?? -1));
  return {
    clock,
    frames,
    shown,
    /** Something changed; because of a key, or because the server said so. */
    change: (why: 'paintNow' | 'paintSoon' | 'paintResponse') => {
      newest++;
      frames[why]();
    },
    block: () => {
      isBlocked = true;
    },
    unblock: () => {
      isBlocked = false;
      taken?.();
    },
  };
}

test('what a key does is shown at once, every time', () => {
  const {change, shown} = stage();
  change('paintNow');
  change('paintNow');
  expect(shown).toEqual([1, 2]);
});

test('what a key asked for is shown as soon as it comes, not at the pace of a flood', () => {
  const {change, clock, shown} = stage();
  change('paintNow');
  for (let at = 0; at < 3; at++) {
    clock.advance(20);
    change('paintSoon');
    clock.advance(0);
  }
  expect(shown).toEqual([1, 2, 3, 4]);
});

test('a flood is shown at its pace, the newest each time, and slower after a key', () => {
  const {change, clock, shown} = stage();
  for (let at = 0; at < 330; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  const calm = shown.length;
  expect(calm).toBeLessThanOrEqual(3 + 5);
  expect(shown.at(-1)).toBeGreaterThan(250);
  change('paintNow');
  for (let at = 0; at < 330; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  expect(shown.length - calm).toBeLessThanOrEqual(1 + 3);
});

test('an answer does not wait for its turn in a flood', () => {
  const {change, clock, shown} = stage();
  for (let at = 0; at < 30; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  change('paintResponse');
  clock.advance(0);
  expect(shown.at(-1)).toBe(31);
  change('paintNow');
  change('paintResponse');
  clock.advance(11);
  expect(shown.at(-1)).toBe(32);
  clock.advance(1);
  expect(shown.at(-1)).toBe(33);
});

test('a key is shown at once in the middle of a flood', () => {
  const {change, clock, shown} = stage();
  for (let at = 0; at < 5; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  change('paintNow');
  expect(shown.at(-1)).toBe(6);
});

test('a terminal that stands still gets one picture when it goes on, the newest', () => {
  const {change, clock, shown, block, unblock} = stage();
  block();
  change('paintNow');
  change('paintSoon');
  clock.advance(1000);
  change('paintNow');
  expect(shown).toEqual([]);
  unblock();
  expect(shown).toEqual([3]);
});
