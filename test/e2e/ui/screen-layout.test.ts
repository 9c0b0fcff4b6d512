import {slowTest} from '#test/support/tier.ts';
import {twoUserFixture, usualSize, waitForAllUnread} from './two-user-fixture.ts';

slowTest(
  'screen layout: the inbox groups topics by channel, direct messages have no second list, and settings fill 120 x 40',
  async () => {
    const chat = await twoUserFixture();
    const terminal = chat.open(chat.meg, {size: {cols: 120, rows: 40}});
    const rows = (lines: readonly string[], pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
    await waitForAllUnread(terminal);
    await terminal.waitFor(/│ {3}#harbour +│[\s\S]* 1 ropes +\S+ │[\s\S]* 2 tides +\S+ │/);
    terminal.keys('j', 'j');
    await terminal.waitFor(/▌ +2 tides/);
    terminal.keys('k', 'k');
    await terminal.waitFor(/▌ +1 Otto Other/);
    terminal.keys('Enter');
    await terminal.waitFor('writes to Otto Other');
    await terminal.waitFor(({lines}) => rows(lines, /│.*│/) === 0, 'no second list');
    terminal.keys('g', ',');
    await terminal.waitFor('find a setting');
    await terminal.waitFor(({lines}) => rows(lines, /^.*│[▌ ]\S.*│/) > 30, 'more than 30 settings');
  },
);

slowTest('screen layout: the inbox names the channel in each row at 80 x 24', async () => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {size: usualSize});
  await waitForAllUnread(terminal);
  await terminal.waitFor(/ 1 #harbour › ropes [\s\S]* 2 #harbour › tides /);
});
