import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {type Size, sizeOf, watchSize} from '#terminal/terminal-output.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

class Window extends EventEmitter {
  columns = 80;
  rows = 24;

  resize(columns: number, rows: number): void {
    Object.assign(this, {columns, rows});
    this.emit('resize');
  }
}

function watched() {
  const window = new Window();
  const clock = new ManualClock();
  const reported: Size[] = [];
  const stop = watchSize(window, clock, (size) => reported.push(size));
  return {window, clock, reported, stop};
}

test('terminal size: a dragged window is reported once, with its last size', () => {
  const {window, clock, reported} = watched();
  for (let columns = 81; columns <= 100; columns++) {
    window.resize(columns, 30);
    clock.advance(20);
  }
  expect(reported).toEqual([]);
  clock.advance(10);
  expect(reported).toEqual([{columns: 100, rows: 30}]);
});

test('terminal size: a size that returned to its old value is reported, because the content may not have survived', () => {
  const {window, clock, reported} = watched();
  window.resize(100, 30);
  window.resize(80, 24);
  clock.advance(100);
  expect(reported).toEqual([{columns: 80, rows: 24}]);
});

test('terminal size: SIGWINCH without a new size is reported', () => {
  const window = new Window();
  const clock = new ManualClock();
  const host = new EventEmitter();
  const reported: Size[] = [];
  const stop = watchSize(window, clock, (size) => reported.push(size), host);
  host.emit('SIGWINCH');
  window.emit('resize');
  clock.advance(100);
  expect(reported).toEqual([{columns: 80, rows: 24}]);
  stop();
  expect(host.listenerCount('SIGWINCH')).toBe(0);
});

test('terminal size: after the end nothing is reported', () => {
  const {window, clock, reported, stop} = watched();
  window.resize(100, 30);
  stop();
  clock.advance(100);
  expect([reported, window.listenerCount('resize')]).toEqual([[], 0]);
});

test('terminal size: an unknown size is the default', () => {
  expect(sizeOf({})).toEqual({columns: 80, rows: 24});
  expect(sizeOf({columns: 0, rows: 0})).toEqual({columns: 80, rows: 24});
});
