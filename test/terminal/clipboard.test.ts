import {expect, test} from 'vitest';
import {type ClipboardParts, clipboardSequence, copyText} from '#terminal/clipboard.ts';
import type {Env} from '#terminal/env.ts';
import type {RunProgram} from '#terminal/run-program.ts';
import {linux, screen, ssh, tmux, tmuxOverSsh, xterm} from './environments.ts';

interface Place extends Partial<ClipboardParts> {
  readonly env?: Env;
  /** The commands that exist and succeed. */
  readonly working?: readonly string[];
  /** The text that programs must receive; what is copied by default. */
  readonly expected?: string;
}

async function copied(text: string, {working = [], expected = text, ...place}: Place) {
  const written: string[] = [];
  const ran: string[] = [];
  const run: RunProgram = async (command, args, input) => {
    ran.push([command, ...args].join(' '));
    expect(input).toBe(expected);
    return working.includes(command)
      ? {kind: 'ended', code: 0, output: ''}
      : {kind: 'failed', problem: `spawn ${command} ENOENT`};
  };
  const outcome = await copyText(text, {
    environment: xterm,
    osc52: undefined,
    env: {},
    platform: 'linux',
    run,
    write: (sequence) => written.push(sequence),
    ...place,
  });
  return {outcome, written, ran};
}

const osc52 = (text: string) => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;

test('copy: inside tmux, tmux copies', async () => {
  const {outcome, written, ran} = await copied('héllo', {environment: tmux, working: ['tmux']});
  expect([outcome, written, ran]).toEqual([{kind: 'copied', by: 'tmux'}, [], ['tmux load-buffer -w -']]);
});

test('copy: control characters are left out, line breaks and tabs stay', async () => {
  const hostile = 'echo hi\u001b[201~\rrm -rf x\u0007\u009b2J\n\tend';
  const safe = 'echo hi[201~\nrm -rf x2J\n\tend';
  const {written} = await copied(hostile, {osc52: true});
  expect(written).toEqual([osc52(safe)]);
  const {ran} = await copied(hostile, {environment: tmux, working: ['tmux'], expected: safe});
  expect(ran).toEqual(['tmux load-buffer -w -']);
});

test('copy: a failing tmux, or one on another machine, is skipped', async () => {
  const old = await copied('x', {environment: tmux});
  expect([old.outcome.kind, old.written]).toEqual(['sent', [osc52('x')]]);
  const far = await copied('x', {environment: tmuxOverSsh, working: ['tmux']});
  expect([far.outcome.kind, far.ran]).toEqual(['sent', []]);
});

test('copy: a terminal that supports OSC 52 is used before any program', async () => {
  const {outcome, written, ran} = await copied('héllo', {
    osc52: true,
    env: {DISPLAY: ':0'},
    working: ['xclip'],
  });
  expect([outcome, written, ran]).toEqual([{kind: 'copied', by: 'terminal'}, [osc52('héllo')], []]);
});

test.each([
  [{WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, ['wl-copy', 'xclip'], 'wl-copy'],
  [{WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, ['xclip'], 'xclip'],
  [{DISPLAY: ':0'}, ['xsel'], 'xsel'],
  [{WSL_DISTRO_NAME: 'Debian'}, ['clip.exe'], 'clip.exe'],
])('copy: when OSC 52 support is unknown, desktop programs are tried first (%o, %o)', async (env, working, by) => {
  const {outcome, written} = await copied('x', {env, working});
  expect([outcome, written]).toEqual([{kind: 'copied', by}, []]);
});

test('copy: on a Mac pbcopy is used', async () => {
  expect((await copied('x', {platform: 'darwin', working: ['pbcopy']})).outcome).toEqual({
    kind: 'copied',
    by: 'pbcopy',
  });
});

test('copy: over ssh the remote machine’s clipboard programs are not used', async () => {
  const {outcome, written, ran} = await copied('x', {
    environment: ssh,
    env: {DISPLAY: ':0'},
    working: ['xclip'],
  });
  expect([outcome, written, ran]).toEqual([{kind: 'sent'}, [osc52('x')], []]);
});

test('copy: GNU screen gets the sequence in pieces', async () => {
  const text = 'x'.repeat(1000);
  expect(clipboardSequence(text, screen).split('\u001bP').length).toBeGreaterThan(5);
});

test('copy: text that is too long for every terminal is shown', async () => {
  const long = 'é'.repeat(40_000);
  expect((await copied(long, {osc52: true})).outcome).toEqual({kind: 'shown', why: 'too_long'});
  expect((await copied('x', {osc52: false})).outcome).toEqual({kind: 'shown', why: 'no_way'});
  const console = await copied('x', {environment: linux});
  expect([console.outcome, console.written]).toEqual([{kind: 'shown', why: 'no_way'}, []]);
});

test('copy: long text is still copied by a program', async () => {
  const long = 'x'.repeat(200_000);
  expect((await copied(long, {osc52: true, env: {DISPLAY: ':0'}, working: ['xclip']})).outcome.kind).toBe('copied');
});
