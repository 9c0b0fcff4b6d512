import {expect, test} from 'vitest';
import type {Screen} from '#test/support/terminal/screen.ts';
import {slowTest} from '#test/support/tier.ts';
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

slowTest('resize: after many sizes the first size shows the same rows again', async () => {
  const chat = await chatWithManyMessages();
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/▌.*number 60\./);
  terminal.keys('K');
  await terminal.waitFor(({text}) => !text.includes('number 60.'), 'earlier messages');
  const before = messageRows(terminal.screen());
  for (let round = 0; round < 5; round++) for (const [cols, rows] of stormSizes) terminal.resize(cols, rows);
  terminal.resize(80, 24);
  await terminal.waitFor((screen) => messageRows(screen) === before, before);
});

/** Returns the rows without the header and the last row, which change with time: the clock, and a toast that ends. */
function messageRows({lines}: Screen): string {
  return lines.slice(1, -1).join('\n');
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

slowTest('resize: the text in the composer stays visible at every size', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type('The lantern needs oil');
  await terminal.waitFor('› The lantern needs oil');
  for (const [cols, rows] of stormSizes.filter(([cols, rows]) => cols >= 40 && rows >= 8)) {
    terminal.resize(cols, rows);
    await terminal.waitFor(
      ({lines, cursor}) => cursor.visible && lines.some((line) => line.includes('› The lantern needs oil')),
      `the text at ${cols}x${rows}`,
    );
  }
  terminal.resize(1, 1);
  terminal.type('!');
  terminal.resize(80, 24);
  await terminal.waitFor('› The lantern needs oil!');
});
