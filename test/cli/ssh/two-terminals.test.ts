import {expect, test} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {execute, openScreen, sshFixture} from './ssh-fixture.ts';

const tides = "'#harbour>tides'";

test('two terminals over SSH: a draft of one shows in the other, its message is sent once', async () => {
  const {server, otto, megKey, connect} = await sshFixture();
  const queue = await server.as(otto).listen({event_types: ['message', 'delete_message']});
  const [first, second] = [
    await openScreen(await connect(megKey), tides),
    await openScreen(await connect(megKey), tides),
  ];
  for (const {terminal} of [first, second]) await terminal.waitFor('The spring tide is at four');
  first.terminal.keys('r');
  await first.terminal.waitFor('Write here');
  first.terminal.type('I bring the chart');
  await first.terminal.waitFor('I bring the chart');
  await second.terminal.waitFor(/› I bring the chart .*draft/);
  first.terminal.keys('Enter');
  expect(await queue.next()).toMatchObject([{message: {content: expect.stringContaining('chart')}}]);
  // The draft is gone there, and the message is shown.
  await second.terminal.waitFor(/Meg Member +\d[^›]*I bring the chart[^›]*› r writes to/);
  const messages = server.context.db.value<number>(`SELECT count(*) FROM message WHERE content LIKE '%chart%'`);
  expect(messages).toBe(1);
});

slowTest(
  'two terminals over SSH: what is marked done in one is undone in another that is opened after it',
  async () => {
    const {megKey, connect} = await sshFixture();
    const client = await connect(megKey);
    const unread = async () => JSON.parse((await execute(client, 'unread --json')).output).total;
    const first = await openScreen(client);
    await first.terminal.waitFor(/harbour › tides/);
    await first.terminal.waitForAfter('e', 'Inbox zero');
    await expect.poll(unread).toBe(0);
    const second = await openScreen(await connect(megKey));
    await second.terminal.waitFor('Nothing unread');
    await second.terminal.waitForAfter('z', '1 unread');
    await expect.poll(unread).toBe(1);
    await first.terminal.waitFor('1 unread');
  },
);
