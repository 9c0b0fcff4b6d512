import {expect, test} from 'vitest';
import type {RunProgram} from '#terminal/run-program.ts';
import {outerProgram, tmuxAdvice, tmuxSetup} from '#terminal/tmux.ts';

const defaults = {
  'focus-events': 'off',
  'set-clipboard': 'external',
  'allow-passthrough': 'off',
  'extended-keys': 'off',
  'terminal-features': 'xterm*:clipboard',
  'escape-time': '500',
};
const tuned = {
  'focus-events': 'on',
  'set-clipboard': 'on',
  'allow-passthrough': 'all',
  'extended-keys': 'always',
  'terminal-features': 'xterm*:extkeys:hyperlinks',
  'escape-time': '10',
};

/** A tmux that replies. */
function tmux(version: string, values: Readonly<Record<string, string>>, outer = ''): RunProgram {
  return async (_command, args) => {
    if (args[0] === '-V') return {kind: 'ended', code: 0, output: `tmux ${version}\n`};
    if (args[0] === 'display-message') return {kind: 'ended', code: 0, output: `${outer}\n`};
    const value = values[args[2] ?? ''];
    return value === undefined ? {kind: 'ended', code: 1, output: ''} : {kind: 'ended', code: 0, output: `${value}\n`};
  };
}

test('tmux: the default configuration lacks these lines', async () => {
  expect(tmuxAdvice(await tmuxSetup(tmux('3.4', defaults)))).toEqual([
    'set -g focus-events on',
    'set -s set-clipboard on',
    'set -g allow-passthrough on',
    'set -s extended-keys on',
    "set -as terminal-features ',xterm*:extkeys:hyperlinks'",
    'set -s escape-time 10',
  ]);
});

test('tmux: a complete configuration lacks none', async () => {
  expect(tmuxAdvice(await tmuxSetup(tmux('3.4', tuned)))).toEqual([]);
});

test('tmux: options that this version does not have are not advised', async () => {
  const lines = tmuxAdvice(await tmuxSetup(tmux('3.1', {...defaults, 'escape-time': '0'})));
  expect(lines).toEqual(['set -g focus-events on', 'set -s set-clipboard on']);
});

test('tmux: without tmux everything is advised', async () => {
  const none: RunProgram = async () => ({kind: 'failed', problem: 'spawn tmux ENOENT'});
  expect(tmuxAdvice(await tmuxSetup(none))).toHaveLength(6);
  expect(await outerProgram(none)).toBeUndefined();
});

test('tmux: the terminal around it is reported', async () => {
  expect(await outerProgram(tmux('3.4', {}, 'kitty(0.31.0)'))).toEqual({name: 'kitty', version: '0.31.0'});
  expect(await outerProgram(tmux('3.4', {}))).toBeUndefined();
});
