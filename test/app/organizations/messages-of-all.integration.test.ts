import {expect, test} from 'vitest';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {systemClock} from '#std/clock.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {accountsFixture} from './organizations-fixture.ts';

async function twoServers() {
  const names = ['acme', 'beta'];
  const {organizations, accounts, shown} = accountsFixture(names, 'grouped');
  const all = await Promise.all(
    names.map(async (accountName, index) => {
      const fixture = await sessionFixture();
      const session = fixture.session();
      session.start();
      await session.ready();
      const parts = appFixture({session, clock: systemClock, accounts, info: {accountName, accountCount: 2}});
      organizations.add(index, parts.app);
      return {...fixture, ...parts};
    }),
  );
  shown().frames.paintNow();
  return {all, shown};
}

test('organizations: mentions and starred messages of all servers are one list, and Enter opens one where it is', async () => {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  // The newest message is the first row; those of one second are in the order of the accounts.
  const id = (await beta?.postMessage('@**Meg Member** on the second', 'trains')) ?? 0;
  await acme?.postMessage('@**Meg Member** on the first', 'boats');
  // A key goes to the other account while only that one has a row.
  for (const account of all) await expect.poll(() => account.app.state.unreads.byId.size).toBe(1);
  shown().frames.paintNow();
  acme?.press('g', 'A');
  const overlay = () => overlayText(shown().frame).join('\n');
  await expect.poll(overlay).toMatch(/ac Otto: .*on the first[\s\S]*be Otto: .*on the second/);
  acme?.press('Down', 'Enter');
  const {info, screen, state} = shown();
  const conversation = shownConversation(screen);
  expect([info.accountName, conversation && conversationTitle(state, conversation)]).toEqual([
    'beta',
    '#general › trains',
  ]);
  await beta?.server.as(beta.meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  beta?.press('g', 'S');
  await expect.poll(overlay).toMatch(/Starred in all organizations[\s\S]*be Otto: .*on the second/);
  expect(overlay()).not.toContain('on the first');
});

test('organizations: a server that does not answer is named, and the messages of the others are listed', async () => {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  await acme?.postMessage('@**Meg Member** on the first', 'boats');
  await beta?.server.close();
  acme?.press('g', 'A');
  await expect
    .poll(() => overlayText(shown().frame).join('\n'), {timeout: 60_000})
    .toMatch(/beta: (?!loading)[\s\S]*ac Otto: .*on the first/);
});
