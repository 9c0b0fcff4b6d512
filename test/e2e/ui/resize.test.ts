import {expect, test} from 'vitest';
import {openTides, startWriting, type TwoUserFixture, twoUserFixture, usualSize} from './two-user-fixture.ts';

async function chatWithManyMessages(): Promise<TwoUserFixture> {
  const chat = await twoUserFixture();
  for (let nth = 1; nth <= 60; nth++) await chat.sendToTopic(chat.otto, 'buoys', `Buoy number ${nth}.`);
  return chat;
}

const stormSizes = [
  [200, 60],
  [80, 24],
  [40, 15],
  [29, 7],
  [1, 1],
  [120, 9],
  [30, 60],
  [132, 43],
] as const;

test('resize: after many sizes the first size shows the same rows again', async () => {
  const chat = await chatWithManyMessages();
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/▌.*number 60\./);
  terminal.keys('K');
  await terminal.waitFor(({text}) => !text.includes('number 60.'), 'earlier messages');
  const before = withoutClock(terminal.screen().lines);
  for (let round = 0; round < 5; round++) for (const [cols, rows] of stormSizes) terminal.resize(cols, rows);
  terminal.resize(80, 24);
  await terminal.waitFor(({lines}) => withoutClock(lines).join('\n') === before.join('\n'), before.join('\n'));
});

function withoutClock(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/\d+:\d\d [AP]M/g, 'time'));
}

test('resize: every size shows the selected message exactly once', async () => {
  const chat = await chatWithManyMessages();
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/▌.*number 60\./);
  for (const [cols, rows] of stormSizes.filter(([, rows]) => rows >= 8)) {
    terminal.resize(cols, rows);
    const {text} = await terminal.waitFor(
      ({lines}) => lines.length === rows && lines.some((line) => /▌.*number 60\./.test(line)),
      `the last message at ${cols}x${rows}`,
    );
    expect(text.split('number 60.')).toHaveLength(2);
  }
});

test('resize: the text in the composer stays visible at every size', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type('The lantern needs oil');
  await terminal.waitFor('› The lantern needs oil');
  for (const [cols, rows] of stormSizes.filter(([cols, rows]) => cols >= 40 && rows >= 8)) {
    terminal.resize(cols, rows);
    const {cursor} = await terminal.waitFor(
      ({lines, rows: now}) => now === rows && lines.some((line) => line.includes('› The lantern needs oil')),
      `the text at ${cols}x${rows}`,
    );
    expect(cursor.visible).toBe(true);
  }
  terminal.resize(1, 1);
  terminal.type('!');
  terminal.resize(80, 24);
  await terminal.waitFor('› The lantern needs oil!');
});
