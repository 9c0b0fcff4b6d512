import {expect, test} from 'vitest';
import {openTides, sizes, smallSize, startWriting, tides, twoUserFixture} from './two-user-fixture.ts';

test.each(sizes)(
  'two people talk, each in a terminal, and are seen writing, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const [mine, theirs] = [await openTides(stage, size), stage.open(stage.otto, {size, args: [tides]})];
    await theirs.waitFor('see you at the quay');
    await startWriting(mine);
    mine.type('Bring **two** lamps :sun:');
    mine.keys('Enter');
    await theirs.waitFor(/Bring two lamps ☀|Bring two lamps :sun/);
    await startWriting(theirs);
    theirs.type('Three, if you like.');
    await mine.waitFor(/Otto.* (is )?typing|Otto.* (is )?writing/);
    theirs.keys('Enter');
    await mine.waitFor('Three, if you like.');
    mine.keys('Enter');
    expect((await stage.said('tides')).slice(-2)).toEqual([
      'Bring **two** lamps :sun:',
      'Three, if you like.',
    ]);
  },
);

test.each([smallSize])(
  'the selection stays where it is when messages arrive, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const terminal = await openTides(stage, size);
    terminal.keys('Home');
    await terminal.waitFor(/▌.*spring tide/);
    for (let at = 1; at <= 30; at++) await stage.say(stage.otto, 'tides', `Wave number ${at}.`);
    // The last of them is in a list, or counted below.
    const {lines} = await terminal.waitFor(/Wave number|\d+ (unread|new) below/);
    expect(lines.filter((line) => line.includes('▌')).join()).toMatch(/spring tide/);
  },
);
