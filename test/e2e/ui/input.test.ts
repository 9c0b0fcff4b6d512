import {expect, test} from 'vitest';
import {mute} from '#test/support/terminal/terminal-profile.ts';
import {fewOf, fewOrAll, slowTest} from '#test/support/tier.ts';
import {
  firstEvent,
  openTides,
  startWriting,
  type TwoUserFixture,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

async function chatWithManyMessages(): Promise<TwoUserFixture> {
  const chat = await twoUserFixture();
  for (let nth = 1; nth <= 8; nth++) await chat.sendToTopic(chat.otto, 'buoys', `Buoy number ${nth}.`);
  return chat;
}

slowTest.each([usualSize])('input: five keys in one read move five times, at $cols x $rows', async (size) => {
  const chat = await chatWithManyMessages();
  const terminal = chat.open(chat.meg, {size, args: ['#harbour>buoys']});
  await terminal.waitFor('number 8');
  terminal.keys('Home');
  await terminal.waitFor(/▌.*number 1\./);
  terminal.type('jjjjj');
  await terminal.waitFor(/▌.*number 6\./);
});

test.each([usualSize])('input: text and Enter in one read send one message, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message']});
  const terminal = await openTides(chat, size);
  terminal.type('rhello\r');
  await firstEvent(listener, ({message}) => message?.content.includes('hello'));
  expect((await chat.topicMessages('tides')).filter((text) => text === 'hello')).toHaveLength(1);
});

slowTest('input: lines typed during a network stall and read at once are sent, each at its Enter', async () => {
  const chat = await twoUserFixture();
  const before = await chat.topicMessages('tides');
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message']});
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type('yes\rok then\r');
  await firstEvent(listener, ({message}) => message?.content.includes('ok then'));
  expect(await chat.topicMessages('tides')).toEqual([...before, 'yes', 'ok then']);
});

slowTest('composer: Esc after Enter on an empty text closes it, and the next letter is a command', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.keys('Enter');
  await terminal.waitFor('Nothing to send yet.');
  terminal.keys('Esc', 'j');
  await terminal.waitFor(/▌.*at three/);
});

const lines = Array.from({length: 500}, (_, index) => `line ${index + 1}`);

test.each(
  fewOf([
    ['with bracketed paste', undefined, 500],
    ['without bracketed paste', mute, fewOrAll(60, 500)],
  ]),
)('paste: hundreds of lines send nothing, %s', async (_, persona, count) => {
  const chat = await twoUserFixture();
  const before = await chat.topicMessages('tides');
  const terminal = await openTides(chat, usualSize, persona === undefined ? {} : {persona});
  await startWriting(terminal);
  const pasted = lines.slice(0, count).join('\n');
  if (persona === undefined) terminal.paste(pasted);
  else terminal.write(pasted.replaceAll('\n', '\r'));
  await terminal.waitFor(`line ${count}`);
  expect(await chat.topicMessages('tides')).toEqual(before);
});

const terminalReplies = [
  '\u001b[?1;2c',
  '\u001b[?62;22;52c',
  '\u001b[>1;4000;29c',
  '\u001bP>|kitty(0.42.1)\u001b\\',
  '\u001b[?5u',
  '\u001b[>4;2m',
  '\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\',
  '\u001b]11;rgb:1e1e/1e1e/2e2e\u0007',
  '\u001b[?997;1n',
  '\u001b[?2026;2$y',
  '\u001b[4;1000;1600t',
  '\u001b[12;40R',
  '\u001b[0n',
  '\u001b]99;i=1:p=?;p=title,body\u001b\\',
  '\u001b_Gi=31;OK\u001b\\',
  '\u001b[I',
  '\u001b[<35;10;10M',
];

slowTest('input: replies of the terminal while writing are never inserted as text', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  for (const [index, reply] of terminalReplies.entries()) {
    terminal.write(`${String.fromCodePoint(97 + index)}${reply}`);
  }
  const letters = terminalReplies.map((_, index) => String.fromCodePoint(97 + index)).join('');
  await terminal.waitFor(`› ${letters}`);
  // Byte by byte, as slow lines deliver them.
  terminal.keys('Ctrl-U');
  await terminal.waitFor(({text}) => !text.includes(`› ${letters}`), 'an empty composer');
  for (const [index, reply] of terminalReplies.entries()) {
    for (const byte of reply) terminal.write(byte);
    terminal.write(String.fromCodePoint(97 + index));
  }
  const {lines} = await terminal.waitFor(`› ${letters}`);
  expect(lines.some((line) => line === `› ${letters}`)).toBe(true);
});

slowTest('input: an arrow key that arrives byte by byte moves the cursor and inserts nothing', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type('abc');
  await terminal.waitFor('› abc');
  for (const byte of '\u001b[D\u001b[1;5D') terminal.write(byte);
  terminal.type('x');
  await terminal.waitFor('› xabc');
});

slowTest('input: a Cyrillic layout has the commands on the same physical keys, and text stays as typed', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  terminal.keys('G');
  await terminal.waitFor(/▌.*quay/);
  terminal.type('л'); // The key k of a US keyboard.
  await terminal.waitFor(/▌.*at three/);
  terminal.type('к'); // The key r.
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
  terminal.type('Привет, ЙЦУКЕН');
  await terminal.waitFor('› Привет, ЙЦУКЕН');
});
