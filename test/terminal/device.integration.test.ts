import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {describe, expect, onTestFinished, test} from 'vitest';
import {copyText} from '#terminal/clipboard.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {programRunner} from '#terminal/run-program.ts';
import {outerProgram} from '#terminal/tmux.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce} from '#test/support/serve-process.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {linuxConsole, modern, mute, type TerminalProfile, xterm} from '#test/support/terminal/terminal-profile.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';

const program = join(import.meta.dirname, 'device-program.ts');

interface Shell {
  readonly terminal: Terminal;
  readonly directory: string;
  /** Types a command line and waits for its output. */
  readonly says: (line: string, wanted: string | RegExp) => Promise<void>;
  /** Returns the settings of the terminal's line discipline. */
  readonly settings: (name: string) => Promise<string>;
}

/** Runs a shell with job control in a terminal. */
async function shell(persona: TerminalProfile = modern, env: Readonly<Record<string, string>> = {}): Promise<Shell> {
  const directory = scratchDirectory();
  const run = `"${process.execPath}" "${program}" "${directory}"`;
  writeFileSync(join(directory, 'start'), `#!/bin/sh\n# Not exec: the job has two processes, as under npm.\n${run}\n`);
  chmodSync(join(directory, 'start'), 0o755);
  // Otherwise the shell itself leaves it on.
  writeFileSync(join(directory, '.inputrc'), 'set enable-bracketed-paste off\n');
  const terminal = openTerminal('bash', ['--norc', '--noprofile', '-i'], {
    persona,
    cwd: process.cwd(),
    env: {PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8', PS1: '$ ', ...compiledOnce, ...env},
  });
  const says = async (line: string, wanted: string | RegExp) => {
    terminal.type(`${line}\r`);
    await terminal.waitFor(wanted);
  };
  const settings = async (name: string) => {
    await says(`stty -a > ${directory}/${name}; echo ${name}-do'ne'`, `${name}-done`);
    return readFileSync(join(directory, name), 'utf8');
  };
  await terminal.waitFor('$');
  return {terminal, directory, says, settings};
}

/** Starts the program from the shell; returns its process id once its queries are answered. */
async function started({terminal, directory}: Shell): Promise<number> {
  terminal.type(`${directory}/start; echo "code $?"\r`);
  const screen = await terminal.waitFor('isSettled=true');
  return Number(/pid (\d+)/.exec(screen.text)?.[1]);
}

async function expectRestored({terminal, settings}: Shell, before: string): Promise<void> {
  expect(terminal.modes.leftBehind()).toEqual([]);
  expect(await settings('after')).toBe(before);
}

describe('the terminal is restored to its original state', () => {
  test.each(
    fewOf([
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGINT', 130],
    ] as const),
  )('after %s, and data was saved', async (signal, code) => {
    const bash = await shell();
    const before = await bash.settings('before');
    const pid = await started(bash);
    process.kill(pid, signal);
    await bash.terminal.waitFor(`code ${code}`);
    await expectRestored(bash, before);
    expect(readFileSync(join(bash.directory, 'saved'), 'utf8')).toBe(signal);
  });

  test.each([
    ['c', 'code 1', 'It failed: Error: a defect'],
    ['r', 'code 1', 'It failed: Error: a broken promise'],
    ['x', 'code 7', ''],
    ['q', 'code 0', ''],
  ])('after the key %s: %s', async (key, code, words) => {
    const bash = await shell();
    const before = await bash.settings('before');
    await started(bash);
    bash.terminal.type(key);
    const screen = await bash.terminal.waitFor(code);
    expect(screen.text).toContain(words);
    await expectRestored(bash, before);
  });

  test('after a run with the CPU profiler of V8, which uses SIGPROF', async () => {
    const profiles = scratchDirectory();
    const bash = await shell(modern, {NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}`});
    const before = await bash.settings('before');
    await started(bash);
    bash.terminal.type('q');
    await bash.terminal.waitFor('code 0');
    await expectRestored(bash, before);
    expect(readdirSync(profiles)).toEqual([expect.stringMatching(/\.cpuprofile$/)]);
  });

  test.each(
    fewOf([
      ['xterm', xterm],
      ['the console', linuxConsole],
      ['a terminal that never answers', mute],
    ]),
  )('%s', async (_name, persona) => {
    const bash = await shell(persona);
    const before = await bash.settings('before');
    const pid = await started(bash);
    process.kill(pid, 'SIGTERM');
    await bash.terminal.waitFor('code 143');
    await expectRestored(bash, before);
  });
});

slowTest('terminal: when the window is closed, data is saved and the program ends', async () => {
  const bash = await shell();
  const pid = await started(bash);
  bash.terminal.hangUp();
  await gone(pid);
  expect(existsSync(join(bash.directory, 'saved'))).toBe(true);
});

/** Polls, because the end of a process that is not a child causes no event. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise<void>((resolve) => setTimeout(resolve, 10));
  }
}

test('terminal: the Linux console gets nothing that it would print', async () => {
  const bash = await shell(linuxConsole);
  await started(bash);
  bash.terminal.type('q');
  await bash.terminal.waitFor('code 0');
  expect(bash.terminal.transcript()).not.toMatch(/\u001b[\]P_^]/);
});

/** Late replies count too, but the program does not wait for them. */
function learned({terminal}: Pick<Shell, 'terminal'>, facts: readonly string[]): Promise<Screen> {
  return terminal.waitFor(({text}) => facts.every((fact) => text.includes(fact)), facts.join(', '));
}

describe('replies of the terminal are understood and never typed', () => {
  test('of a modern terminal', async () => {
    const bash = await shell(modern);
    await started(bash);
    const facts = ['program=kitty', 'background=dark', 'isUtf8=true', 'kittyKeyboard=true', 'trueColor=true'];
    const {text} = await learned(bash, facts);
    expect(text).toContain('typed []');
    await bash.terminal.waitUntil(({modes}) => modes.keyboard.kittyFlags === 5);
    expect(bash.terminal.modes.kittyDepth).toBe(1);
  });

  test('of xterm', async () => {
    const bash = await shell(xterm);
    await started(bash);
    const {text} = await learned(bash, ['program=xterm']);
    expect(text).toContain('typed []');
    await bash.terminal.waitUntil(({modes}) => modes.keyboard.modifyOtherKeys === 2);
  });
});

describe('doctor reports the terminal’s replies', () => {
  test.each(
    fewOf([
      [
        'modern',
        modern,
        'kitty(0.42.1), dark; supported: Shift-Enter, links, clipboard, notifications, flicker-free drawing; not confirmed: none',
        'half blocks: kitty(0.42.1) reports no graphics; cells of ',
      ],
      [
        'xterm',
        xterm,
        'XTerm(390), dark; supported: Shift-Enter; not confirmed: links, clipboard, notifications, flicker-free drawing',
        'half blocks: XTerm(390) reports no graphics; cells of ',
      ],
      ['mute', mute, 'unknown terminal; supported: none', 'half blocks: the terminal reports no graphics'],
    ]),
  )('%s', async (_name, persona, detail, images) => {
    const bash = await shell(persona);
    const before = await bash.settings('before');
    const {terminal} = bash;
    terminal.resize(200, 40);
    terminal.type(`"${process.execPath}" src/parley.js doctor --config /nowhere; echo "code $?"\r`);
    const screen = await terminal.waitFor('code 1');
    expect(screen.text).toContain(`ok    features   ${detail}`);
    expect(screen.text).toContain(`ok    images     ${images}`);
    await expectRestored(bash, before.replace(/rows \d+; columns \d+/, 'rows 40; columns 200'));
  });
});

describe('job control', () => {
  test('Ctrl-Z stops the whole job and restores the terminal; fg takes it over again', async () => {
    const bash = await shell();
    const {terminal} = bash;
    const before = await bash.settings('before');
    await started(bash);
    terminal.type('abz');
    await terminal.waitFor('Stopped');
    await expectRestored(bash, before);
    expect(terminal.modes.altScreen).toBe(false);
    for (const round of [2, 3]) {
      await bash.says('fg', `entered ${round}`);
      await terminal.waitUntil(({modes}) => modes.keyboard.kittyFlags === 5);
      expect(terminal.screen().text).toContain('typed [ab');
      expect([terminal.modes.altScreen, terminal.modes.bracketedPaste, terminal.modes.kittyDepth]).toEqual([
        true,
        true,
        1,
      ]);
      expect(terminal.title).toBe('typed ab');
      terminal.type('z');
      await terminal.waitUntil(({modes}) => !modes.altScreen);
      await terminal.waitFor(({text}) => text.split('Stopped').length > round, `“Stopped” ${round} times`);
    }
    await bash.says('kill %1; wait; echo o"ver"', 'over');
  });

  test('a job that continues in the background leaves the terminal alone until it is in the foreground', async () => {
    const bash = await shell();
    const {terminal} = bash;
    await started(bash);
    terminal.type('z');
    await terminal.waitFor('Stopped');
    await bash.says('bg; echo in the b"ack"', 'in the back');
    // Changing the terminal's modes stops the job again. Until the shell knows that, `fg` would not continue it.
    await bash.says('until jobs -s | grep -q start; do :; done; echo stopped ag"ain"', 'stopped again');
    expect(terminal.modes.leftBehind()).toEqual([]);
    await bash.says('fg', 'entered');
    await terminal.waitFor('isSettled=true');
    terminal.type('ab');
    await terminal.waitFor('typed [ab]');
    terminal.type('q');
    await terminal.waitUntil(({modes}) => !modes.altScreen);
    await bash.says('echo o"ver"', 'over');
    expect(terminal.modes.leftBehind()).toEqual([]);
  });

  test('after SIGTSTP or SIGSTOP from outside, the terminal is set up again', async () => {
    const bash = await shell();
    const {terminal} = bash;
    const pid = await started(bash);
    process.kill(pid, 'SIGTSTP');
    await terminal.waitFor('Stopped');
    await bash.says('fg; echo "then $?"', 'entered 2');
    process.kill(pid, 'SIGSTOP');
    // The shell does not notice while the other process of the job still runs.
    process.kill(pid, 'SIGCONT');
    await terminal.waitFor('entered 3');
    terminal.type('ab');
    await terminal.waitFor('typed [ab]');
    terminal.type('q');
    await terminal.waitFor('then 0');
    expect(terminal.modes.leftBehind()).toEqual([]);
  });
});

describe('an editor', () => {
  const editor = `sh -c 'printf "editing in %s" "$(stty -a | grep -o " -*icanon")"; IFS= read -r line; echo "$line" >> "$1"' sh`;

  test('gets the terminal in shell mode, and its text comes back', async () => {
    const bash = await shell(modern, {EDITOR: editor});
    const {terminal} = bash;
    await started(bash);
    terminal.type('hi');
    await terminal.waitFor('typed [hi]');
    terminal.type('e');
    await terminal.waitFor('editing in  icanon');
    expect(terminal.modes.leftBehind()).toEqual([]);
    terminal.type(' there\r');
    await terminal.waitFor('typed [changed hi there]');
    expect(terminal.modes.altScreen).toBe(true);
    terminal.type('q');
    await terminal.waitFor('code 0');
    expect(terminal.modes.leftBehind()).toEqual([]);
  });

  test('that is interrupted fails, and the program continues', async () => {
    const bash = await shell(modern, {EDITOR: editor});
    const {terminal} = bash;
    await started(bash);
    terminal.type('hi');
    await terminal.waitFor('typed [hi]');
    terminal.type('e');
    await terminal.waitFor('editing in');
    terminal.keys('Ctrl-C');
    await terminal.waitFor('typed [failed hi]');
  });
});

test('terminal: a terminal that does not read stops only the drawing', async () => {
  const directory = scratchDirectory();
  const env = {PATH: process.env.PATH, TERM: 'linux', LANG: 'C.UTF-8', ...compiledOnce};
  const terminal = spawn(process.execPath, [program, directory], {cols: 80, rows: 24, env});
  onTestFinished(() => terminal.kill('SIGKILL'));
  let shown = '';
  terminal.onData((data) => {
    shown = (shown + data).slice(-10_000);
  });
  await until(() => shown.includes('isSettled=true'));
  terminal.pause();
  terminal.write('f');
  const ticks = join(directory, 'ticks');
  await until(() => existsSync(ticks) && Number(readFileSync(ticks, 'utf8')) >= 20);
  expect(readFileSync(join(directory, 'blocked'), 'utf8')).toBe('true');
  terminal.resume();
  await until(() => shown.includes('typed [drained]'));
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => setTimeout(resolve, 10));
}

function isThere(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

test.runIf(isThere('tmux'))(
  'inside tmux replies are understood, copies arrive, and the screen is restored',
  async () => {
    const bash = await shell();
    const {terminal, directory} = bash;
    const socket = join(directory, 'tmux');
    const tmux = (...args: readonly string[]) =>
      execFileSync('tmux', ['-S', socket, ...args], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
    // The tmux server outlives its terminal.
    onTestFinished(() => {
      if (spawnSync('tmux', ['-S', socket, 'kill-server']).error !== undefined) throw new Error('tmux is left');
    });
    terminal.type(`tmux -f /dev/null -S ${socket} new-session "${directory}/start; sleep 1000"\r`);
    await terminal.waitFor('isSettled=true');
    const {text} = await learned(bash, ['program=tmux', 'isUtf8=true']);
    expect(text).toContain('typed []');
    expect(tmux('display-message', '-p', '#{alternate_on} #{pane_title}').trim()).toBe('1 typed');
    const env = {PATH: process.env.PATH, TERM: 'tmux-256color', TMUX: `${socket},1,0`};
    const copied = await copyText('grüße\n', {
      environment: terminalEnvironment(env, true),
      osc52: undefined,
      env,
      platform: 'linux',
      run: programRunner(env),
      write: () => expect.unreachable(),
    });
    expect([copied, tmux('show-buffer')]).toEqual([{kind: 'copied', by: 'tmux'}, 'grüße\n']);
    await terminal.waitUntil(({clipboard}) => clipboard.includes('grüße\n'));
    expect(await outerProgram(programRunner(env))).toEqual({name: 'kitty', version: '0.42.1'});
    process.kill(Number(/pid (\d+)/.exec(text)?.[1]), 'SIGTERM');
    await terminal.waitUntil(() => tmux('display-message', '-p', '#{alternate_on}').trim() === '0');
  },
);
