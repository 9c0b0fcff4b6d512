import {expect, test} from 'vitest';
import {openTides, startWriting, type TwoUserFixture, twoUserFixture} from './two-user-fixture.ts';

const usual = {cols: 80, rows: 24};

async function withMany(): Promise<TwoUserFixture> {
  const stage = await twoUserFixture();
  for (let at = 1; at <= 60; at++) await stage.say(stage.otto, 'buoys', `Buoy number ${at}.`);
  return stage;
}

const storm = [
  [200, 60],
  [80, 24],
  [40, 15],
  [29, 7],
  [1, 1],
  [120, 9],
  [30, 60],
  [132, 43],
] as const;

test('a storm of sizes ends where it began: the same picture, the same message', async () => {
  const stage = await withMany();
  const terminal = stage.open(stage.meg, {size: usual, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/▌.*number 60\./);
  terminal.keys('K');
  await terminal.waitFor(({text}) => !text.includes('number 60.'), 'earlier messages');
  const before = settled(terminal.screen().lines);
  for (let round = 0; round < 5; round++) for (const [cols, rows] of storm) terminal.resize(cols, rows);
  terminal.resize(80, 24);
  await terminal.waitFor(({lines}) => settled(lines).join('\n') === before.join('\n'), before.join('\n'));
});

/** Without the clock. */
function settled(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/\d+:\d\d [AP]M/g, 'time'));
}

test('every size shows something of its own, none of it twice, and keys go on', async () => {
  const stage = await withMany();
  const terminal = stage.open(stage.meg, {size: usual, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/▌.*number 60\./);
  for (const [cols, rows] of storm.filter(([, rows]) => rows >= 8)) {
    terminal.resize(cols, rows);
    const {text} = await terminal.waitFor(
      ({lines}) => lines.length === rows && lines.some((line) => /▌.*number 60\./.test(line)),
      `the last message at ${cols}x${rows}`,
    );
    expect(text.split('number 60.')).toHaveLength(2);
  }
});

test('what is being written stays in view through every size', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usual);
  await startWriting(terminal);
  terminal.type('The lantern needs oil');
  await terminal.waitFor('› The lantern needs oil');
  for (const [cols, rows] of storm.filter(([cols, rows]) => cols >= 40 && rows >= 8)) {
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
