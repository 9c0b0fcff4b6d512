import {expect, test} from 'vitest';
import {
  acceptsControlStrings,
  canDraw,
  escapeTimeoutMs,
  terminalEnvironment,
  withReportedProgram,
} from '#terminal/environment.ts';
import {allEnvironments, environmentOf, kitty, screen, ssh, tmux, tmuxOverSsh, xterm} from './environments.ts';

test.each([
  ['xterm', 'xterm'],
  ['xterm-256color', 'xterm'],
  ['tmux-256color', 'xterm'],
  ['rxvt-unicode', 'xterm'],
  ['linux', 'linux'],
  ['linux-16color', 'linux'],
  ['vt100', 'serial'],
  ['vt220', 'serial'],
  ['vt520', 'serial'],
  ['vt52', 'dumb'],
  ['ansi', 'serial'],
  ['dumb', 'dumb'],
  ['', 'dumb'],
] as const)('environment: TERM=%s is kind %s', (TERM, kind) => {
  expect(environmentOf({TERM}).kind).toBe(kind);
});

test('environment: without a terminal the kind is none, whatever TERM is', () => {
  expect(terminalEnvironment({TERM: 'xterm'}, false).kind).toBe('none');
  expect(canDraw(terminalEnvironment({TERM: 'xterm'}, false))).toBe(false);
});

test('environment: every terminal but a dumb one can draw', () => {
  expect(allEnvironments.filter(([, environment]) => !canDraw(environment)).map(([name]) => name)).toEqual(['dumb']);
});

test('environment: only xterm-like terminals get OSC and DCS', () => {
  const without = allEnvironments
    .filter(([, environment]) => !acceptsControlStrings(environment))
    .map(([name]) => name);
  expect(without).toEqual(['linux', 'serial', 'dumb']);
});

test('environment: tmux is known from its variable, on another machine from TERM; only the local one has its command', () => {
  expect([tmux.inTmux, tmux.hasTmuxCommand]).toEqual([true, true]);
  expect([tmuxOverSsh.inTmux, tmuxOverSsh.hasTmuxCommand]).toEqual([true, false]);
  expect([xterm.inTmux, xterm.hasTmuxCommand]).toEqual([false, false]);
  expect([screen.inScreen, screen.inTmux]).toEqual([true, false]);
});

test('environment: a lone ESC waits longer unless the sender of the keys is known to be on this machine', () => {
  expect([kitty, tmux, screen].map(escapeTimeoutMs)).toEqual([50, 50, 50]);
  expect([xterm, ssh, tmuxOverSsh].map(escapeTimeoutMs)).toEqual([150, 150, 150]);
  expect(escapeTimeoutMs(environmentOf({TMUX: 'x', SSH_TTY: '/dev/pts/1'}))).toBe(50);
});

test('environment: the reported name corrects which multiplexer it is', () => {
  const guess = environmentOf({TERM: 'screen-256color', SSH_TTY: '/dev/pts/1'});
  expect([guess.inScreen, guess.inTmux]).toEqual([true, false]);
  const corrected = withReportedProgram(guess, {name: 'tmux', version: '3.4'});
  expect([corrected.inScreen, corrected.inTmux]).toEqual([false, true]);
  expect(withReportedProgram(guess, guess.program)).toBe(guess);
});

test.each([
  [{LANG: 'en_US.UTF-8'}, 'utf-8'],
  [{LANG: 'en_US.utf8'}, 'utf-8'],
  [{LANG: 'en_US.UTF-8', LC_ALL: 'de_DE.ISO-8859-1'}, 'latin-1'],
  [{LC_CTYPE: 'de_DE.ISO-8859-1', LC_ALL: 'en_US.UTF-8'}, 'utf-8'],
  [{LANG: 'en_US.UTF-8', LC_CTYPE: 'de_DE.ISO-8859-1'}, 'latin-1'],
  [{LANG: 'de_DE.iso885915@euro'}, 'latin-1'],
  [{LANG: 'ru_RU.KOI8-R'}, 'ascii'],
  [{LANG: 'pl_PL.ISO-8859-2'}, 'ascii'],
  [{LANG: 'C'}, undefined],
  [{LANG: ''}, undefined],
])('environment: the character set of %o is %s', (env, charset) => {
  expect(environmentOf(env).charset).toBe(charset);
});

test.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;7', 'light'],
  ['12;default;8', 'dark'],
  ['0;default', undefined],
  ['', undefined],
])('environment: COLORFGBG=%s is a %s background', (COLORFGBG, background) => {
  expect(environmentOf({COLORFGBG}).background).toBe(background);
});

test('environment: inside tmux COLORFGBG is ignored as outdated', () => {
  expect(environmentOf({COLORFGBG: '15;0', TMUX: 'x'}).background).toBeUndefined();
});
