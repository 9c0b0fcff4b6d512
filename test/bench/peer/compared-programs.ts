import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {ProgramEnvironment} from '#test/bench/ui/measured-program.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {parleyCommand, writeZuliprc} from '#test/support/terminal/parley-command.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';

/** A program whose costs are compared: how it is started and recognised, and its keys. */
export interface ComparedProgram {
  readonly name: string;
  open(size: Size, place: ProgramEnvironment): Terminal;
  /** Returns whether it shows content and accepts keys. */
  hasContent(screen: Screen): boolean;
  /** Opens the combined feed, which must then be shown. */
  readonly feed: string;
  showsFeed(screen: Screen): boolean;
  readonly up: string;
  readonly down: string;
  /** Starts writing where typed characters become text. */
  readonly write: readonly string[];
  /** Ends writing, without a draft. */
  readonly discard: readonly string[];
  readonly quit: readonly string[];
}

/** Returns Parley as it is started by `npm start`, or as this file. */
export function parley(file?: string): ComparedProgram {
  return {
    name: file === undefined ? 'Parley' : basename(file),
    open(size, {home, site, email, apiKey}) {
      const signIn = {site, email, apiKey};
      const command = parleyCommand({home, signIn, env: {PARLEY_ENTER_SENDS: 'yes'}});
      const {env, cwd} = command;
      if (file !== undefined) return Terminal.open(file, [], {size, env, cwd});
      return Terminal.open(command.file, command.args, {size, env, cwd});
    },
    // The runs before may have read everything: then there is no row to select.
    hasContent: (screen) => parleyProgram.isUsable(screen) || screen.text.includes('Nothing unread'),
    feed: 'a',
    showsFeed: ({lines}) => lines[0]?.includes('Combined feed') === true,
    up: 'Ctrl-Y',
    down: 'Ctrl-E',
    write: ['r'],
    discard: ['Ctrl-U', 'Ctrl-U', 'Esc'],
    quit: ['Ctrl-C', 'Ctrl-C'],
  };
}

/** Returns zulip-terminal; undefined when it is not installed. */
export function zulipTerminal(): ComparedProgram | undefined {
  const [file] = which('zulip-term');
  if (file === undefined) return undefined;
  return {
    name: 'zulip-terminal',
    open(size, {home, site, email, apiKey}) {
      mkdirSync(home, {recursive: true});
      const config = join(home, 'zuliprc');
      writeZuliprc(config, {site, email, apiKey});
      const env = {PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC'};
      return Terminal.open(file, ['--config-file', config], {size, env, cwd: home});
    },
    // Its loading screen has no list of views.
    hasContent: ({text}) => /All messages\s+\[?a\]?/.test(text),
    feed: 'a',
    showsFeed: ({text}) => text.includes('All messages'),
    up: 'k',
    down: 'j',
    write: ['r'],
    discard: ['Esc'],
    quit: ['Ctrl-C'],
  };
}

function which(name: string): string[] {
  try {
    return execFileSync('sh', ['-c', 'command -v "$0"', name], {encoding: 'utf8'}).trim().split('\n');
  } catch {
    return [];
  }
}
