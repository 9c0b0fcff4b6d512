import {expect, test} from 'vitest';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {modern, type TerminalProfile, xterm} from '#test/support/terminal/terminal-profile.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {openTides, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

/** A terminal of the past that answers nothing and shows eight-bit characters. */
const vt220: TerminalProfile = {
  env: {TERM: 'vt220'},
  reportsStatus: true,
  reportsColours: false,
  reportsSize: false,
  keyboard: 'plain',
  modes: [],
  isSynchronized: false,
  hasNotifications: false,
};

/** Everything that the program sets in a terminal like kitty. */
function modesOf({modes, title, cursor}: Terminal) {
  const {altScreen, bracketedPaste, focusReports, mouse, keyboard, kittyDepth, cursorShape} = modes;
  const colourSchemes = modes.has(2031);
  const {visible} = cursor;
  return {
    altScreen,
    bracketedPaste,
    focusReports,
    mouse,
    keyboard,
    kittyDepth,
    cursorShape,
    colourSchemes,
    title,
    visible,
  };
}

slowTest.each(
  fewOf([
    ['Ctrl-L', (terminal: Terminal) => terminal.keys('Ctrl-L')],
    ['SIGWINCH at the same size', (terminal: Terminal) => terminal.kill('SIGWINCH')],
  ]),
)('another terminal: %s sets all modes again and draws everything', async (_name, announce) => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type('Bring the chart');
  await terminal.waitFor('› Bring the chart');
  await terminal.waitUntil(({title, modes}) => title !== '' && modes.kittyDepth === 1, 'title and keyboard');
  // Without the header, which has a clock, and the last row, in which toasts end.
  const rowsOf = ({lines}: Screen) => lines.slice(1, -1).join('\n');
  const before = {modes: modesOf(terminal), rows: rowsOf(terminal.screen())};
  await terminal.renew();
  announce(terminal);
  await terminal.waitFor('› Bring the chart');
  await terminal.waitUntil(({title, modes}) => title !== '' && modes.kittyDepth === 1, 'title and keyboard again');
  await terminal.waitFor((screen) => rowsOf(screen) === before.rows, before.rows);
  await expect.poll(() => modesOf(terminal)).toEqual(before.modes);
  terminal.kill('SIGTERM');
  await terminal.waitForExit();
  expect(terminal.modes.leftBehind()).toEqual([]);
});

/** Returns the titles in the order they were written, in the form of xterm. */
function titlesIn(transcript: string): readonly string[] {
  return [...transcript.matchAll(/\u001b\]2;([^\u0007]*)\u0007/g)].map((match) => match[1] ?? '');
}

slowTest('title: is written once at the start, in the form of tmux where only TERM looks like GNU screen', async () => {
  const chat = await twoUserFixture();
  const persona = {...xterm, env: {TERM: 'screen-256color'}, version: 'tmux 3.4'};
  const terminal = await openTides(chat, usualSize, {persona, env: {SSH_TTY: '/dev/pts/1'}});
  await terminal.waitUntil(({title}) => title.includes('tides'), 'title');
  const titles = titlesIn(terminal.transcript());
  expect(titles).toEqual([...new Set(titles)]);
  expect(terminal.transcript()).not.toContain('\u001bk');
});

test.each(
  fewOf([
    ['ASCII', {LANG: 'C'}, 'Grusse aus Koln: ???? ok'],
    ['Latin-1', {LANG: 'de_DE.ISO-8859-1'}, 'Gr\ufffdsse aus K\ufffdln: ???? ok'],
  ]),
)('an old terminal (%s): gets neither UTF-8 nor sequences that it lacks', async (_name, env, expected) => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.otto, 'tides', 'Grüsse aus Köln: 潮汐 ok');
  // LC_ALL would win over LANG.
  const terminal = chat.open(chat.meg, {
    size: usualSize,
    args: ['#harbour>tides'],
    persona: vt220,
    env: {LC_ALL: '', ...env},
  });
  await terminal.waitFor(': ???? ok');
  terminal.keys('?');
  await terminal.waitFor(({cursor}) => cursor.visible, 'the keys, and a field to filter them');
  const written = terminal.transcript();
  expect(written).toContain(expected);
  expect(written).not.toMatch(/[^\0-\u007f\ufffd]/);
  expect(written).not.toMatch(/\u001b[\]P_]|\u001b\[\?(?!25[hl])/);
});

slowTest('a terminal that is told to be Latin-1 but shows UTF-8 gets UTF-8', async () => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.otto, 'tides', 'Grüsse aus Köln: 潮汐 ok');
  const env = {LC_ALL: '', LANG: 'de_DE.ISO-8859-1'};
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>tides'], persona: modern, env});
  await terminal.waitFor('Grüsse aus Köln: 潮汐 ok');
});

slowTest('a terminal that orders right-to-left text is told to stop, and at the end to go on', async () => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.otto, 'tides', 'see שלום (עולם) 12');
  const persona = {...modern, version: 'VTE(7600)', ordersText: true};
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>tides'], persona});
  await terminal.waitFor('see 12 (םלוע) םולש');
  const [stop, goOn] = ['\u001b[8l', '\u001b[8h'];
  await terminal.waitUntil(() => terminal.transcript().includes(stop), 'the terminal is told to stop');
  expect(terminal.transcript()).not.toContain(goOn);
  await startWriting(terminal);
  terminal.type('אבג');
  await terminal.waitFor('גבא');
  terminal.kill('SIGTERM');
  await terminal.waitForExit();
  expect(terminal.transcript()).toContain(goOn);
});

slowTest('a terminal that orders right-to-left text and cannot be stopped gets it as it is read', async () => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.otto, 'tides', 'see שלום now');
  const persona = {...modern, version: 'Konsole 22.12.3'};
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>tides'], persona});
  await terminal.waitFor(
    (screen) => screen.text.replaceAll(/[\u2066-\u2069]/g, '').includes('see שלום now'),
    'the message',
  );
  await terminal.waitUntil(() => terminal.transcript().includes('\u2066'), 'an isolate before the message');
  expect(terminal.transcript()).not.toContain('\u001b[8l');
});

test('TERM=vt52: the screen is not opened, and commands that work are named', async () => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {persona: {...vt220, env: {TERM: 'vt52'}}});
  expect(await terminal.waitForExit()).toEqual({code: 0, signal: undefined});
  expect(terminal.transcript()).toContain('parley --plain');
  expect(terminal.transcript()).not.toContain('\u001b');
});
