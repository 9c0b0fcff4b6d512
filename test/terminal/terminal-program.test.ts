import {expect, test} from 'vitest';
import {featuresOf, isAtLeast, programFromEnv, programFromName} from '#terminal/terminal-program.ts';

test.each([
  ['kitty(0.31.0)', 'kitty', '0.31.0'],
  ['foot(1.16.2)', 'foot', '1.16.2'],
  ['WezTerm 20230712-072601-f4abf8fd', 'wezterm', '20230712-072601-f4abf8fd'],
  ['iTerm2 3.5.0', 'iterm', '3.5.0'],
  ['ghostty 1.2.0', 'ghostty', '1.2.0'],
  ['VTE(7200)', 'vte', '0.72.0'],
  ['Konsole 22.12.3', 'konsole', '22.12.3'],
  ['XTerm(379)', 'xterm', '379'],
  ['xterm.js(5.6.0)', 'xterm.js', '5.6.0'],
  ['tmux 3.3a', 'tmux', '3.3a'],
  ['tmux next-3.5', 'tmux', ''],
])('terminal program: “%s” is %s %s', (text, name, version) => {
  expect(programFromName(text)).toEqual({name, version});
});

test('terminal program: an unknown name is no program', () => {
  expect(programFromName('Wibble 3')).toBeUndefined();
  expect(programFromName('')).toBeUndefined();
});

test.each([
  [{TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5'}, 'iterm', '3.5'],
  [{TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455'}, 'apple', '455'],
  [{TERM: 'xterm-256color', TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.90'}, 'xterm.js', '1.90'],
  [{TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2', LC_TERMINAL_VERSION: '3.4'}, 'iterm', '3.4'],
  [{TERM: 'xterm-256color', KITTY_WINDOW_ID: '3'}, 'kitty', ''],
  [{TERM: 'xterm-256color', WEZTERM_PANE: '0'}, 'wezterm', ''],
  [{TERM: 'xterm-256color', WT_SESSION: 'x'}, 'windows-terminal', ''],
  [{TERM: 'xterm-256color', VTE_VERSION: '6800'}, 'vte', '0.68.0'],
  [{TERM: 'xterm-256color', KONSOLE_VERSION: '221203'}, 'konsole', '22.12.3'],
  [{TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(379)'}, 'xterm', '379'],
  [{TERM: 'xterm-kitty'}, 'kitty', ''],
  [{TERM: 'xterm-ghostty'}, 'ghostty', ''],
  [{TERM: 'alacritty'}, 'alacritty', ''],
  [{TERM: 'foot-extra'}, 'foot', ''],
  [{TERM: 'rxvt-unicode-256color'}, 'rxvt', ''],
  [{TERM: 'screen-256color', TMUX: 'x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4'}, 'tmux', '3.4'],
  [{TERM: 'screen', STY: 'x', TERM_PROGRAM: 'iTerm.app'}, 'screen', ''],
])('terminal program: %o is %s %s', (env, name, version) => {
  expect(programFromEnv(env)).toEqual({name, version});
});

test('terminal program: inside tmux the variables of the terminal around it are ignored', () => {
  const env = {TERM: 'tmux-256color', TMUX: 'x', KITTY_WINDOW_ID: '3', TERM_PROGRAM: 'WezTerm'};
  expect(programFromEnv(env)).toEqual({name: 'tmux', version: ''});
});

test('terminal program: TERM=xterm names no program', () => {
  expect(programFromEnv({TERM: 'xterm-256color'})).toBeUndefined();
});

test.each([
  ['3.3a', [3, 4], false],
  ['3.4', [3, 4], true],
  ['3.10', [3, 4], true],
  ['4', [3, 4], true],
  ['0.72.0', [0, 50], true],
  ['', [0], false],
])('terminal program: %s is at least %o: %s', (version, least, isIt) => {
  expect(isAtLeast(version, least)).toBe(isIt);
});

test('program features: hyperlinks depend on program and version', () => {
  const can = (text: string) => featuresOf(programFromName(text)).hyperlinks;
  expect(['kitty(0.31)', 'foot(1.16)', 'VTE(5000)', 'tmux 3.4', 'ghostty 1.0'].map(can)).not.toContain(false);
  expect(['VTE(4800)', 'tmux 3.3a', 'XTerm(379)', 'Wibble 9'].map(can)).not.toContain(true);
});

test('program features: the clipboard works, does not work, or is unknown', () => {
  const clipboard = (text: string) => featuresOf(programFromName(text)).clipboard;
  expect([clipboard('kitty(0.31)'), clipboard('Apple_Terminal'), clipboard('XTerm(379)')]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect(featuresOf(undefined).clipboard).toBeUndefined();
});
