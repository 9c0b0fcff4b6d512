import {expect, test} from 'vitest';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {twoServers} from './two-servers-fixture.ts';

test('organizations: mentions and starred messages of all servers are one list, and Enter opens one where it is', async () => {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  // The newest message is the first row; those of one second are in the order of the accounts.
  await beta?.postMessage('before the mention', 'trains');
  const id = (await beta?.postMessage('@**Meg Member** on the second', 'trains')) ?? 0;
  await acme?.postMessage('@**Meg Member** on the first', 'boats');
  // A key goes to the other account while only that one has a row.
  for (const account of all) await expect.poll(() => account.app.state.unreads.mentions.size).toBe(1);
  shown().frames.paintNow();
  acme?.press('g', 'A');
  const overlay = () => overlayText(shown().frame).join('\n');
  await expect.poll(overlay).toMatch(/ac Otto: .*on the first[\s\S]*be Otto: .*on the second/);
  // The cursor stays on the row that came first.
  acme?.type('second');
  acme?.press('Enter');
  const {info, screen, state} = shown();
  const conversation = shownConversation(screen);
  expect([info.accountName, conversation && conversationTitle(state, conversation)]).toEqual([
    'beta',
    '#general › trains',
  ]);
  await untilApp(shown(), () => selectedMessage(shown())?.id === id);
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
  // What is missing is no row to choose.
  acme?.press('Enter');
  const conversation = shownConversation(shown().screen);
  expect(conversation && conversationTitle(shown().state, conversation)).toBe('#general › boats');
});

test('organizations: the second opening shows the former mentions while they are fetched again', async () => {
  const {all, shown} = await twoServers();
  const [acme] = all;
  for (const account of all) await account.postMessage('@**Meg Member** hello', 'boats');
  const overlay = () => overlayText(shown().frame).join('\n');
  acme?.press('g', 'A');
  expect(overlay()).toMatch(/acme: loading…/);
  const both = /ac Otto: .*hello[\s\S]*be Otto: .*hello|be Otto: .*hello[\s\S]*ac Otto: .*hello/;
  await expect.poll(overlay).toMatch(both);
  acme?.press('Esc');
  for (const account of all) {
    await account.hook('fault', {path: '/messages', method: 'GET', kind: 'drop_before', times: 1000});
  }
  acme?.press('g', 'A');
  expect(overlay()).toMatch(both);
  expect(overlay()).not.toContain('loading…');
  // The failure is said beside what was fetched before.
  await expect.poll(overlay, {timeout: 60_000}).toMatch(/acme: (?!loading)[\s\S]*beta: (?!loading)/);
  expect(overlay()).toMatch(both);
});

test('organizations: Ctrl-L fetches the mentions of a server again that failed', async () => {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  for (const account of all) await account.postMessage('@**Meg Member** hello', 'boats');
  const overlay = () => overlayText(shown().frame).join('\n');
  // More than one, because the client also fetches messages by itself.
  await beta?.hook('fault', {path: '/messages', method: 'GET', kind: 'status', status: 400, times: 1000});
  acme?.press('g', 'A');
  await expect.poll(overlay).toMatch(/beta: Injected fault[\s\S]*ac Otto: .*hello/);
  await beta?.hook('clear-faults');
  acme?.press('Ctrl-L');
  await expect.poll(overlay).toContain('be Otto');
  expect(overlay()).not.toContain('Injected fault');
});

test('organizations: a new mention appears in the open list, also one of another account, and the cursor stays on its row', async () => {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  await beta?.postMessage('@**Meg Member** one', 'boats');
  const overlay = () => overlayText(shown().frame).join('\n');
  acme?.press('Alt-2');
  beta?.press('g', 'A');
  await expect.poll(overlay).toContain('be Otto: @Meg Member one');
  // It comes first, also when both were sent in one second.
  await acme?.postMessage('@**Meg Member** two', 'trains');
  await expect.poll(overlay).toMatch(/ac Otto: @Meg Member two[\s\S]*be Otto: @Meg Member one/);
  beta?.press('Enter');
  const {info, screen, state} = shown();
  const conversation = shownConversation(screen);
  expect([info.accountName, conversation && conversationTitle(state, conversation)]).toEqual([
    'beta',
    '#general › boats',
  ]);
});
