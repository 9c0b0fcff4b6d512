import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {type Size, sizeOf, watchSize} from '#terminal/terminal-size.ts';
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
  const heard: Size[] = [];
  const stop = watchSize(window, clock, (size) => heard.push(size));
  return {window, clock, heard, stop};
}

test('while a window is dragged nothing is told; when it rests, its last size', () => {
  const {window, clock, heard} = watched();
  for (let columns = 81; columns <= 100; columns++) {
    window.resize(columns, 30);
    clock.advance(20);
  }
  expect(heard).toEqual([]);
  clock.advance(10);
  expect(heard).toEqual([{columns: 100, rows: 30}]);
});

test('a size that is back where it was is told, for the picture may not have survived', () => {
  const {window, clock, heard} = watched();
  window.resize(100, 30);
  window.resize(80, 24);
  clock.advance(100);
  expect(heard).toEqual([{columns: 80, rows: 24}]);
});

test('a signal that comes without a new size is told, too', () => {
  const window = new Window();
  const clock = new ManualClock();
  const host = new EventEmitter();
  const heard: Size[] = [];
  const stop = watchSize(window, clock, (size) => heard.push(size), host);
  host.emit('SIGWINCH');
  window.emit('resize');
  clock.advance(100);
  expect(heard).toEqual([{columns: 80, rows: 24}]);
  stop();
  expect(host.listenerCount('SIGWINCH')).toBe(0);
});

test('after the end nothing is told', () => {
  const {window, clock, heard, stop} = watched();
  window.resize(100, 30);
  stop();
  clock.advance(100);
  expect([heard, window.listenerCount('resize')]).toEqual([[], 0]);
});

test('a terminal that does not know its size has the usual one', () => {
  expect(sizeOf({})).toEqual({columns: 80, rows: 24});
  expect(sizeOf({columns: 0, rows: 0})).toEqual({columns: 80, rows: 24});
});
