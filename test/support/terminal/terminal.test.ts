import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openTerminal} from './open-terminal.ts';
import type {Terminal} from './terminal.ts';
import {linuxConsole, mute, type TerminalProfile, xterm} from './terminal-profile.ts';

const env = {PATH: process.env.PATH, LANG: 'C.UTF-8', PS1: '$ '};

/** A program that writes its argument, in `printf` escapes, and then shows its input. */
function saying(escapes: string, persona?: TerminalProfile): Terminal {
  const script = `stty raw -echo; printf '${escapes}'; exec cat -v`;
  return openTerminal('sh', ['-c', script], {env, ...(persona === undefined ? {} : {persona})});
}

test('test terminal: a program runs at the given size and is told of a new one', async () => {
  const terminal = openTerminal('bash', ['--norc', '-i'], {env, size: {cols: 70, rows: 20}});
  await terminal.waitFor('$');
  terminal.type('stty size');
  terminal.keys('Enter');
  await terminal.waitFor('20 70');
  terminal.resize(100, 30);
  terminal.type('stty size\r');
  const screen = await terminal.waitFor('30 100');
  expect(screen.lines).toHaveLength(30);
  terminal.type('exit 3\r');
  expect(await terminal.waitForExit()).toEqual({code: 3, signal: undefined});
});

test('test terminal: cells have characters, widths, colours and styles', async () => {
  const terminal = saying(
    String.raw`\033[1;31mred\033[0m \033[3;48;5;236m日本\033[0m \033[4;7;38;2;1;2;3mx\033[0m \033[9my\033[0m end`,
  );
  const screen = await terminal.waitFor('end');
  expect(screen.lines[0]).toBe('red 日本 x y end');
  expect(screen.cell(0, 0)).toMatchObject({chars: 'r', width: 1, fg: 1, bg: 'default', bold: true});
  expect(screen.cell(4, 0)).toMatchObject({chars: '日', width: 2, bg: 236, italic: true, bold: false});
  expect(screen.cell(5, 0)).toMatchObject({chars: '', width: 0});
  expect(screen.cell(9, 0)).toMatchObject({chars: 'x', fg: '#010203', underline: true, inverse: true});
  expect(screen.cell(11, 0)).toMatchObject({chars: 'y', strike: true});
  expect([screen.find('本'), screen.find('end'), screen.find('absent')]).toEqual([
    {x: 6, y: 0},
    {x: 13, y: 0},
    undefined,
  ]);
  expect(screen.cursor).toEqual({x: 16, y: 0, visible: true});
});

test('test terminal: a screen snapshot does not change', async () => {
  const terminal = openTerminal('cat', [], {env});
  terminal.type('before');
  const screen = await terminal.waitFor('before');
  terminal.type('\b\b\b\b\b\bafterward');
  await terminal.waitFor('afterward');
  expect([screen.text.trim(), screen.cell(0, 0).chars]).toEqual(['before', 'b']);
});

const questions = String.raw`\033[?u\033[?4m\033]11;?\033\\\033[?996n\033[?2026$p\033[>q\033]99;i=7:p=?;\033\\\033[16t\033[6n\033[c`;

test('test terminal: a modern terminal answers queries', async () => {
  const terminal = saying(questions);
  await terminal.waitFor('[?62;22;52c');
  expect(terminal.row(0) + terminal.row(1)).toBe(
    '^[[?0u^[]11;rgb:1616/1818/1d1d^[\\^[[?997;1n^[[?2026;2$y^[P>|kitty(0.42.1)^[\\^[]99;i=7:p=?;p=title,body^[\\^[[6;20;10t^[[1;1R^[[?62;22;52c',
  );
});

test('test terminal: xterm answers in its own way', async () => {
  const terminal = saying(questions, xterm);
  await terminal.waitFor('22c');
  expect(terminal.row(0) + terminal.row(1)).toBe(
    '^[[>4;0m^[]11;rgb:1616/1818/1d1d^[\\^[[?997;1n^[[?2026;0$y^[P>|XTerm(390)^[\\^[[6;20;10t^[[1;1R^[[?64;1;2;6;9;15;18;21;22c',
  );
});

test('test terminal: the Linux console supports little', async () => {
  const terminal = saying(questions.replaceAll(String.raw`\033]11;?\033\\`, ''), linuxConsole);
  await terminal.waitFor('^[[?6c');
  expect(terminal.row(0)).toBe('^[[1;1R^[[?6c');
});

test('test terminal: a mute terminal answers nothing', async () => {
  const terminal = saying(`${questions}asked`, mute);
  await terminal.waitFor('asked');
  terminal.type('!');
  const screen = await terminal.waitFor('!');
  expect(screen.text.trim()).toBe('asked!');
  expect(terminal.bytes.sent).toBe(1);
});

test('test terminal: keys are sent in the mode that the program set', async () => {
  const terminal = saying(String.raw`\033[?1049h\033[>5u ready `);
  await terminal.waitFor('ready');
  expect(terminal.modes).toMatchObject({altScreen: true, kittyDepth: 1});
  terminal.keys('Esc', 'Ctrl-X');
  await terminal.waitFor('^[[27u^[[120;5u');
});

test('test terminal: pastes, notifications, copies and bells of a program are recorded', async () => {
  const terminal = saying(
    String.raw`\033]2;Parley\007\033]52;c;aGVsbG8=\007\007\033]52;c;?\007\033]777;notify;a;b\033\\\033]8;;https://example.com\033\\link\033]8;;\033\\`,
  );
  await terminal.waitFor('link');
  expect(terminal).toMatchObject({
    title: 'Parley',
    clipboard: ['hello'],
    clipboardReads: 1,
    bells: 1,
    notifications: ['777;notify;a;b'],
    links: ['https://example.com'],
  });
});

test('test terminal: a paste has brackets only if the program enabled them', async () => {
  const bare = saying('ready ');
  await bare.waitFor('ready');
  bare.paste('a\nb');
  await bare.waitFor('a^Mb');
  const asking = saying(String.raw`\033[?2004hready `);
  await asking.waitFor('ready');
  asking.paste('a\r\nb\u001b[201~c');
  await asking.waitFor('^[[200~a^Mbc^[[201~');
});

test('test terminal: modes that a program leaves behind are named', async () => {
  const on = saying(String.raw`\033[?1049h\033[?25l\033[?2004;1004h\033[?1000h\033[>1u\033[6 q\033[22;0tready`);
  await on.waitFor('ready');
  expect(on.modes.leftBehind().sort()).toEqual([
    'alternate screen',
    'bracketed paste',
    'cursor shape',
    'focus reports',
    'hidden cursor',
    'kitty keyboard',
    'mouse clicks',
    'pushed title',
  ]);
  const off = saying(String.raw`\033[?1049h\033[>1u\033[?25l\033[5 q\033[<u\033[0 q\033[?25h\033[?1049lready`);
  await off.waitFor('ready');
  expect(off.modes.leftBehind()).toEqual([]);
});

test('test terminal: an unfinished frame is not read', async () => {
  const terminal = openTerminal(
    'sh',
    ['-c', String.raw`stty -echo; printf '\033[?2026hhalf'; read x; printf ' whole\033[?2026l'; cat`],
    {env},
  );
  const seen: string[] = [];
  const stop = terminal.onFrame(() => seen.push(terminal.row(0)));
  await terminal.waitUntil(({bytes}) => bytes.received > 0);
  terminal.keys('Enter');
  await terminal.waitFor('half');
  stop();
  expect(seen).toEqual(['half whole']);
});

test('test terminal: text that was shown for a moment is found, however late it is read', async () => {
  const frame = (text: string) => String.raw`\033[?2026h\r${text}\033[?2026l`;
  const terminal = openTerminal(
    'sh',
    ['-c', `printf '${frame('first')}${frame('later')}\\033[?1049l\\033[?1049h'; exec cat`],
    {env},
  );
  const seen: string[] = [];
  terminal.onFrame(() => seen.push(terminal.row(0)));
  await terminal.waitFor('first');
  await terminal.waitUntil(({modes}) => modes.altScreen);
  expect(seen.slice(0, 3)).toEqual(['first', 'later', 'later']);
});

test('test terminal: a wait fails with the screen’s content when the program ends', async () => {
  const terminal = openTerminal('sh', ['-c', 'printf last words; exit 4'], {env});
  await expect(terminal.waitFor('something else')).rejects.toThrow(
    /The program has ended, and there was no “something else”\.\n┌─+┐\n│last/,
  );
});

test('test terminal: a program that has hardly started is ended too', async () => {
  for (let round = 0; round < 20; round++) await openTerminal('cat', [], {env}).close();
});

test('test terminal: close ends every process that was started in it', async () => {
  const terminal = openTerminal('bash', ['--norc', '-i'], {env});
  await terminal.waitFor('$');
  terminal.type('trap "" HUP; (trap "" HUP; exec sleep 600) & echo pid=$!.\r');
  const {text} = await terminal.waitFor(/pid=\d+\./);
  const pid = Number(/pid=(\d+)\./.exec(text)?.[1]);
  expect(isAlive(pid)).toBe(true);
  await terminal.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('test terminal: a paused program answers nothing until it continues, and then everything', async () => {
  const [held, free] = [saying('ready '), saying('ready ')];
  for (const terminal of [held, free]) await terminal.waitFor('ready');
  const {received} = held.bytes;
  await held.held(async () => {
    for (const terminal of [held, free]) terminal.keys('1', 'Enter', '2', 'Enter');
    await free.waitFor('1^M2^M');
    expect(held.bytes.received).toBe(received);
  });
  await held.waitFor('1^M2^M');
});

test('test terminal: a disconnected line ends the program with SIGHUP', async () => {
  const terminal = openTerminal('sh', ['-c', 'echo here; exec sleep 600'], {env});
  await terminal.waitFor('here');
  terminal.hangUp();
  expect(await terminal.waitForExit()).toMatchObject({signal: 1});
});

/** Returns whether the process has ended; a zombie counts as ended. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
