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
] as const)('%j has colours: %s', (env, depth) => {
  expect(colorDepthOf(env, true)).toBe(depth);
});

test('into a pipe go no colours unless they are forced', () => {
  expect(colorDepthOf({TERM: 'xterm-256color', COLORTERM: 'truecolor'}, false)).toBe('never');
  expect(colorDepthOf({TERM: 'xterm-256color', FORCE_COLOR: '2'}, false)).toBe('256');
});

test('a terminal that says it shows all colours is believed, but not against a wish', () => {
  expect(colorDepthOf({TERM: 'xterm-256color'}, true, true)).toBe('true');
  expect(colorDepthOf({TERM: 'xterm-256color', NO_COLOR: '1'}, true, true)).toBe('mono');
  expect(colorDepthOf({TERM: 'xterm-256color', FORCE_COLOR: '1'}, true, true)).toBe('16');
  expect(colorDepthOf({TERM: 'dumb'}, true, true)).toBe('never');
});

test('a screen without colours still has attributes, and the command line has the last word', () => {
  expect(screenDepthOf({TERM: 'xterm', FORCE_COLOR: '0'}, false)).toBe('mono');
  expect(screenDepthOf({TERM: 'xterm', NO_COLOR: '1'}, true, '256')).toBe('256');
  expect(screenDepthOf({TERM: 'xterm'}, true, 'never')).toBe('mono');
});
