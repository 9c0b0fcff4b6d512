import {expect, test} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {extremeSizes, openTides, smallSize, startWriting, tides, twoUserFixture} from './two-user-fixture.ts';

test('chat: two users in a large and a small terminal see messages and typing notices of each other', async () => {
  const chat = await twoUserFixture();
  const [large, small] = extremeSizes;
  const [mine, theirs] = [await openTides(chat, large), chat.open(chat.otto, {size: small, args: [tides]})];
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
  expect((await chat.topicMessages('tides')).slice(-2)).toEqual(['Bring **two** lamps :sun:', 'Three, if you like.']);
});

slowTest.each([smallSize])(
  'messages: the selection stays on its message when messages arrive, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const terminal = await openTides(chat, size);
    terminal.keys('Home');
    await terminal.waitFor(/▌.*spring tide/);
    for (let nth = 1; nth <= 30; nth++) await chat.sendToTopic(chat.otto, 'tides', `Wave number ${nth}.`);
    // The last message is in a list, or counted below.
    const {lines} = await terminal.waitFor(/Wave number|\d+ (unread|new) below/);
    expect(lines.filter((line) => line.includes('▌')).join()).toMatch(/spring tide/);
  },
);
