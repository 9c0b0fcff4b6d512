import {expect, test} from 'vitest';
import {FrameScheduler} from '#app/core/frame-scheduler.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Frame} from '#ui/core/frame.ts';

/** A scheduler whose frames are numbered by the changes they show. */
function schedulerFixture() {
  const clock = new ManualClock();
  let [newest, isBlocked, heldMs] = [0, false, 0];
  let drained: (() => void) | undefined;
  const blank = egFrame();
  const painted: number[] = [];
  const numberOf = new Map<Frame, number>();
  const source = {
    frame: (): Frame => {
      const known = [...numberOf].find(([, number]) => number === newest)?.[0];
      const frame = known ?? {...blank};
      numberOf.set(frame, newest);
      return frame;
    },
    heldMs: () => heldMs,
    isBlocked: () => isBlocked,
    whenDrained: (task: () => void) => {
      drained = task;
    },
  };
  const frames = new FrameScheduler(source, clock);
  frames.subscribe(() => painted.push(numberOf.get(frames.paintedFrame) ?? -1));
  return {
    clock,
    frames,
    painted,
    /** Counts a change and requests a paint for it. */
    change: (method: 'paintNow' | 'paintSoon' | 'paintResponse') => {
      newest++;
      frames[method]();
    },
    /** Changes wait this long after a key from now on. */
    hold: (ms: number) => {
      heldMs = ms;
    },
    block: () => {
      isBlocked = true;
    },
    unblock: () => {
      isBlocked = false;
      drained?.();
    },
  };
}

test('frame scheduler: every key paints at once', () => {
  const {change, painted} = schedulerFixture();
  change('paintNow');
  change('paintNow');
  expect(painted).toEqual([1, 2]);
});

test('frame scheduler: a few responses to a key paint as soon as they arrive, without the rate limit', () => {
  const {change, clock, painted} = schedulerFixture();
  change('paintNow');
  for (let at = 0; at < 3; at++) {
    clock.advance(20);
    change('paintSoon');
    clock.advance(0);
  }
  expect(painted).toEqual([1, 2, 3, 4]);
});

test('frame scheduler: a flood of events paints at the limited rate, the newest each time, and slower after a key', () => {
  const {change, clock, painted} = schedulerFixture();
  for (let at = 0; at < 330; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  const paintedBefore = painted.length;
  expect(paintedBefore).toBeLessThanOrEqual(3 + 5);
  expect(painted.at(-1)).toBeGreaterThan(250);
  change('paintNow');
  for (let at = 0; at < 330; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  expect(painted.length - paintedBefore).toBeLessThanOrEqual(1 + 3);
});

test('frame scheduler: a response that the user waits for paints without the rate limit during a flood', () => {
  const {change, clock, painted} = schedulerFixture();
  for (let at = 0; at < 30; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  change('paintResponse');
  clock.advance(0);
  expect(painted.at(-1)).toBe(31);
  change('paintNow');
  change('paintResponse');
  clock.advance(11);
  expect(painted.at(-1)).toBe(32);
  clock.advance(1);
  expect(painted.at(-1)).toBe(33);
});

test('frame scheduler: a key paints at once during a flood', () => {
  const {change, clock, painted} = schedulerFixture();
  for (let at = 0; at < 5; at++) {
    change('paintSoon');
    clock.advance(1);
  }
  change('paintNow');
  expect(painted.at(-1)).toBe(6);
});

test('frame scheduler: a blocked terminal gets one paint once it drains, the newest frame', () => {
  const {change, clock, painted, block, unblock} = schedulerFixture();
  block();
  change('paintNow');
  change('paintSoon');
  clock.advance(1000);
  change('paintNow');
  expect(painted).toEqual([]);
  unblock();
  expect(painted).toEqual([3]);
});

test('frame scheduler: a held change is painted with the next key', () => {
  const {change, clock, frames, hold, painted} = schedulerFixture();
  hold(Number.POSITIVE_INFINITY);
  change('paintSoon');
  clock.advance(3_600_000);
  expect(painted).toEqual([]);
  frames.paintNow();
  expect(painted).toEqual([1]);
});

test('frame scheduler: a change that is held for a time is painted that long after the last key', () => {
  const {change, clock, hold, painted} = schedulerFixture();
  change('paintNow');
  hold(10_000);
  clock.advance(4000);
  change('paintSoon');
  clock.advance(5999);
  expect(painted).toEqual([1]);
  clock.advance(1);
  expect(painted).toEqual([1, 2]);
});

test('frame scheduler: a change that the user waits for is painted soon, with those that are held', () => {
  const {change, clock, hold, painted} = schedulerFixture();
  change('paintNow');
  hold(10_000);
  change('paintSoon');
  clock.advance(1000);
  hold(0);
  change('paintSoon');
  clock.advance(200);
  expect(painted).toEqual([1, 3]);
});
