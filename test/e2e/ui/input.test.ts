import {expect, test} from 'vitest';
import {mute} from '#test/support/terminal/terminal-profile.ts';
import {
  firstEvent,
  openTides,
  startWriting,
  type TwoUserFixture,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

async function withMany(): Promise<TwoUserFixture> {
  const stage = await twoUserFixture();
  for (let at = 1; at <= 8; at++) await stage.say(stage.otto, 'buoys', `Buoy number ${at}.`);
  return stage;
}

test.each([usualSize])('five keys in one piece are five moves, at $cols x $rows', async (size) => {
  const stage = await withMany();
  const terminal = stage.open(stage.meg, {size, args: ['#harbour>buoys']});
  await terminal.waitFor('number 8');
  terminal.keys('Home');
  await terminal.waitFor(/▌.*number 1\./);
  terminal.type('jjjjj');
  await terminal.waitFor(/▌.*number 6\./);
});

test.each([usualSize])('text and Enter in one piece are one message, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const listener = await stage.server.as(stage.otto).listen({event_types: ['message']});
  const terminal = await openTides(stage, size);
  terminal.type('rhello\r');
  await firstEvent(listener, ({message}) => message?.content.includes('hello'));
  expect((await stage.said('tides')).filter((text) => text === 'hello')).toHaveLength(1);
});

const lines = Array.from({length: 500}, (_, at) => `line ${at + 1}`);

test.each([
  ['with brackets', undefined],
  ['without brackets', mute],
])('five hundred pasted lines send nothing, %s', async (_, persona) => {
  const stage = await twoUserFixture();
  const before = await stage.said('tides');
  const terminal = await openTides(stage, usualSize, persona === undefined ? {} : {persona});
  await startWriting(terminal);
  const pasted = lines.join('\n');
  if (persona === undefined) terminal.paste(pasted);
  else terminal.write(pasted.replaceAll('\n', '\r'));
  await terminal.waitFor('line 500');
  expect(await stage.said('tides')).toEqual(before);
});

const replies = [
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

test('what a terminal answers while one writes is never text', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize);
  await startWriting(terminal);
  for (const [at, reply] of replies.entries()) {
    terminal.write(`${String.fromCodePoint(97 + at)}${reply}`);
  }
  const all = replies.map((_, at) => String.fromCodePoint(97 + at)).join('');
  await terminal.waitFor(`› ${all}`);
  // And in pieces, as slow lines deliver them.
  terminal.keys('Ctrl-U');
  await terminal.waitFor(({text}) => !text.includes(`› ${all}`), 'an empty composer');
  for (const [at, reply] of replies.entries()) {
    for (const byte of reply) terminal.write(byte);
    terminal.write(String.fromCodePoint(97 + at));
  }
  const {lines} = await terminal.waitFor(`› ${all}`);
  expect(lines.some((line) => line === `› ${all}`)).toBe(true);
});

test('an arrow in pieces moves the cursor and types nothing', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize);
  await startWriting(terminal);
  terminal.type('abc');
  await terminal.waitFor('› abc');
  for (const byte of '\u001b[D\u001b[1;5D') terminal.write(byte);
  terminal.type('x');
  await terminal.waitFor('› xabc');
});

test('keys of another layout are the keys at their places, and text stays what was typed', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize);
  terminal.keys('G');
  await terminal.waitFor(/▌.*quay/);
  terminal.type('л'); // Where k is on the US keyboard.
  await terminal.waitFor(/▌.*at three/);
  terminal.type('к'); // Where r is.
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
  terminal.type('Привет, ЙЦУКЕН');
  await terminal.waitFor('› Привет, ЙЦУКЕН');
});
