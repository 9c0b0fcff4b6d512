import type {Env} from '#terminal/env.ts';
import {type TerminalEnvironment, terminalEnvironment} from '#terminal/environment.ts';

/** Returns the environment of a terminal with these variables. */
export function environmentOf(env: Env): TerminalEnvironment {
  return terminalEnvironment({TERM: 'xterm-256color', LANG: 'en_US.UTF-8', ...env}, true);
}

export const xterm = environmentOf({});
export const kitty = environmentOf({TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1'});
export const tmux = environmentOf({TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0'});
export const tmuxOverSsh = environmentOf({TERM: 'tmux-256color', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'});
export const screen = environmentOf({TERM: 'screen', STY: '1.pts'});
export const linux = environmentOf({TERM: 'linux'});
export const serial = environmentOf({TERM: 'vt220'});
export const dumb = environmentOf({TERM: 'dumb'});
export const ssh = environmentOf({SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'});

export const allEnvironments: readonly (readonly [string, TerminalEnvironment])[] = Object.entries({
  ...{xterm, kitty, tmux, farTmux: tmuxOverSsh, screen, linux, serial, dumb, ssh},
});
