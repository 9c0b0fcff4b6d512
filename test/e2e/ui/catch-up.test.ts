import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {twoUserFixture, usualSize, waitForAllUnread} from './two-user-fixture.ts';

slowTest('catch up: the cards mark nothing as read, e marks one conversation, and z takes it back', async () => {
  const chat = await twoUserFixture();
  const {meg, otto} = chat;
  await chat.sendToTopic(otto, 'anchor', '@**Meg Member** is the anchor up?');
  const before = await chat.unread(meg);
  const terminal = chat.open(meg, {size: usualSize});
  await waitForAllUnread(terminal);
  terminal.keys('g', 'k');
  await terminal.waitFor(/Unread since .*conversations/);
  await terminal.waitFor(/▌ +@1 #harbour › anchor/);
  await terminal.waitFor('mentions you, asks you');
  await terminal.waitFor('Otto Other: The blue rope is worn.');
  expect(await chat.unread(meg)).toEqual(before);
  terminal.keys('e');
  await terminal.waitFor(({text}) => !text.includes('› anchor') && /▌ +1 Otto Other/.test(text), 'the next card');
  await expect.poll(() => chat.unread(meg)).toHaveLength(before.length - 1);
  terminal.keys('z');
  await terminal.waitFor('› anchor');
  await expect.poll(() => chat.unread(meg)).toEqual(before);
});
