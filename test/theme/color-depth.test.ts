import {expect, test} from 'vitest';
import {colorDepthOf, screenDepthOf} from '#theme/color-depth.ts';

test.each([
  [{TERM: 'xterm-256color'}, '256'],
  [{TERM: 'xterm-256color', COLORTERM: 'truecolor'}, 'true'],
  [{TERM: 'xterm', COLORTERM: '24bit'}, 'true'],
  [{TERM: 'xterm-kitty'}, '256'],
  [{TERM: 'xterm-direct'}, 'true'],
  [{TERM: 'xterm'}, '16'],
  [{TERM: 'linux'}, '16'],
  [{TERM: 'vt220'}, 'mono'],
  [{TERM: 'dumb'}, 'never'],
  [{}, 'never'],
  [{TERM: 'xterm-256color', NO_COLOR: '1'}, 'mono'],
  [{TERM: 'dumb', NO_COLOR: '1'}, 'never'],
  [{TERM: 'xterm-256color', NO_COLOR: ''}, '256'],
  [{TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3'}, 'true'],
  [{TERM: 'xterm-256color', FORCE_COLOR: '0'}, 'never'],
  [{TERM: 'xterm-256color', FORCE_COLOR: 'true'}, '256'],
  [{FORCE_COLOR: 'true'}, '16'],
] as const)('colour depth: the environment %j gives %s', (env, depth) => {
  expect(colorDepthOf(env, true)).toBe(depth);
});

test('colour depth: a pipe gets no colours unless FORCE_COLOR is set', () => {
  expect(colorDepthOf({TERM: 'xterm-256color', COLORTERM: 'truecolor'}, false)).toBe('never');
  expect(colorDepthOf({TERM: 'xterm-256color', FORCE_COLOR: '2'}, false)).toBe('256');
});

test('colour depth: a terminal that reports true colour has it, unless NO_COLOR or FORCE_COLOR is set', () => {
  expect(colorDepthOf({TERM: 'xterm-256color'}, true, {trueColor: true})).toBe('true');
  expect(colorDepthOf({TERM: 'xterm-256color', NO_COLOR: '1'}, true, {trueColor: true})).toBe('mono');
  expect(colorDepthOf({TERM: 'xterm-256color', FORCE_COLOR: '1'}, true, {trueColor: true})).toBe('16');
  expect(colorDepthOf({TERM: 'dumb'}, true, {trueColor: true})).toBe('never');
});

test('colour depth: a terminal that reports 256 colours has them, whatever TERM says', () => {
  expect(colorDepthOf({TERM: 'xterm'}, true, {indexedColor: true})).toBe('256');
  expect(colorDepthOf({TERM: 'xterm', NO_COLOR: '1'}, true, {indexedColor: true})).toBe('mono');
});

test('colour depth: the screen has attributes at least, and the command line overrides the environment', () => {
  expect(screenDepthOf({TERM: 'xterm', FORCE_COLOR: '0'}, {})).toBe('mono');
  expect(screenDepthOf({TERM: 'xterm', NO_COLOR: '1'}, {trueColor: true}, '256')).toBe('256');
  expect(screenDepthOf({TERM: 'xterm'}, {trueColor: true}, 'never')).toBe('mono');
});
