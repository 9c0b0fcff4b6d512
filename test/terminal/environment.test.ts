import {expect, test} from 'vitest';
import {acceptsControlStrings, canDraw, escapeTimeoutMs, terminalEnvironment} from '#terminal/environment.ts';
import {allEnvironments, environmentOf, mosh, screen, ssh, tmux, tmuxOverSsh, xterm} from './environments.ts';

test.each([
  ['xterm', 'xterm'],
  ['xterm-256color', 'xterm'],
  ['tmux-256color', 'xterm'],
  ['rxvt-unicode', 'xterm'],
  ['linux', 'linux'],
  ['linux-16color', 'linux'],
  ['vt100', 'serial'],
  ['vt220', 'serial'],
  ['ansi', 'serial'],
  ['dumb', 'dumb'],
  ['', 'dumb'],
] as const)('TERM=%s is of the kind %s', (TERM, kind) => {
  expect(environmentOf({TERM}).kind).toBe(kind);
});

test('what is no terminal is none, whatever TERM says', () => {
  expect(terminalEnvironment({TERM: 'xterm'}, false).kind).toBe('none');
  expect(canDraw(terminalEnvironment({TERM: 'xterm'}, false))).toBe(false);
});

test('there is something to draw on everywhere but on a dumb terminal', () => {
  expect(allEnvironments.filter(([, environment]) => !canDraw(environment)).map(([name]) => name)).toEqual([
    'dumb',
  ]);
});

test('only terminals like xterm are sent OSC and DCS', () => {
  const without = allEnvironments
    .filter(([, environment]) => !acceptsControlStrings(environment))
    .map(([name]) => name);
  expect(without).toEqual(['linux', 'serial', 'dumb']);
});

test('tmux is known from its variable, and on another machine from TERM; only here it can be asked', () => {
  expect([tmux.inTmux, tmux.hasTmuxCommand]).toEqual([true, true]);
  expect([tmuxOverSsh.inTmux, tmuxOverSsh.hasTmuxCommand]).toEqual([true, false]);
  expect([xterm.inTmux, xterm.hasTmuxCommand]).toEqual([false, false]);
  expect([screen.inScreen, screen.inTmux]).toEqual([true, false]);
});

test('a lone ESC waits longer where packets travel', () => {
  expect([xterm, ssh, mosh].map(escapeTimeoutMs)).toEqual([50, 150, 150]);
});

test.each([
  [{LANG: 'en_US.UTF-8'}, true],
  [{LANG: 'en_US.utf8'}, true],
  [{LANG: 'en_US.UTF-8', LC_ALL: 'de_DE.ISO-8859-1'}, false],
  [{LANG: 'C'}, undefined],
  [{LANG: ''}, undefined],
])('the locale of %o says UTF-8: %s', (env, said) => {
  expect(environmentOf(env).hasUtf8Locale).toBe(said);
});

test.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;7', 'light'],
  ['12;default;8', 'dark'],
  ['0;default', undefined],
  ['', undefined],
])('COLORFGBG=%s is a background that is %s', (COLORFGBG, background) => {
  expect(environmentOf({COLORFGBG}).background).toBe(background);
});

test('inside tmux COLORFGBG is that of another day', () => {
  expect(environmentOf({COLORFGBG: '15;0', TMUX: 'x'}).background).toBeUndefined();
});
