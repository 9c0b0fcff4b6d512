import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {fakeBrowser, password, redirectOf, withMeg} from '#test/cli/login/login-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

/** A second server with a conversation of Meg, who has a password there. */
async function secondServer() {
  const there = await withMeg({testHooks: true, rateLimited: false});
  const {server, owner, email, key, id} = there;
  // With this setting the question about Enter is not asked.
  await server.as({id, email, fullName: 'Meg Member', apiKey: key}).patch('/settings', {enter_sends: true});
  await server.as(owner).patch('/realm', {name: 'Far Shore'});
  await server.as(owner).post('/messages', {type: 'direct', to: [id], content: 'Welcome to the far shore.'});
  const hook = (body: object) =>
    fetch(`${server.url}/test-hooks/external-login`, {method: 'POST', body: JSON.stringify({user_id: id, ...body})});
  return {...there, hook};
}

slowTest(
  'accounts: an account is added with a password and shown, and the draft of the first account is still there',
  async () => {
    const [chat, there] = [await twoUserFixture(), await secondServer()];
    const terminal = await openTides(chat, {cols: 120, rows: 40});
    await startWriting(terminal);
    terminal.type('half a thought');
    await terminal.waitFor('half a thought');
    terminal.keys('Esc');
    await terminal.waitFor(({cursor}) => !cursor.visible, 'the composer closed');
    terminal.keys('g', 'a');
    await terminal.waitFor('Add an account…');
    terminal.keys('Down', 'Enter');
    await terminal.waitFor('Server');
    terminal.type('http://127.0.0.1:1');
    terminal.keys('Ctrl-D');
    await terminal.waitFor('Cannot reach 127.0.0.1:1: connection refused.');
    terminal.keys('Ctrl-U');
    terminal.type(there.server.url);
    terminal.keys('Ctrl-D');
    await terminal.waitFor('Log in to Far Shore');
    terminal.type(there.email);
    terminal.keys('Tab');
    terminal.type(password);
    const {text} = await terminal.waitFor('*'.repeat(password.length));
    expect(text).not.toContain(password.trim());
    terminal.keys('Ctrl-D');
    await terminal.waitFor('Welcome to the far shore.');
    terminal.keys('Alt-1');
    await terminal.waitFor(
      ({text: shown}) => /see you at the quay/.test(shown) && /half a thought/.test(shown),
      'the draft',
    );
  },
);

slowTest('accounts: a login with the browser is pasted and shown at 80 columns', async () => {
  const [chat, there] = [await twoUserFixture(), await secondServer()];
  await there.hook({only: true});
  const home = scratchDirectory();
  const browser = fakeBrowser(home);
  const terminal = await openTides(chat, usualSize, {home, env: browser.env});
  terminal.keys(';');
  await terminal.waitFor('Commands');
  terminal.type('add an account');
  await terminal.waitFor('▌Add an account');
  terminal.keys('Enter');
  await terminal.waitFor('Server');
  terminal.type(there.server.url);
  terminal.keys('Ctrl-D');
  await terminal.waitFor('Harbor ID, with the browser');
  terminal.keys('Ctrl-O');
  await terminal.waitFor('Opened http');
  terminal.keys('Tab');
  terminal.paste(await redirectOf(browser.opened()));
  await terminal.waitFor('*****');
  terminal.keys('Ctrl-D');
  await terminal.waitFor('Welcome to the far shore.');
  const saved = readFileSync(join(home, '.config/parley/accounts/far-shore.zuliprc'), 'utf8');
  expect(saved).toContain(`key=${there.key}\n`);
});

slowTest('accounts: after a new API key this client goes on, and others are logged out', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  terminal.keys('g', ',');
  await terminal.waitFor('Settings');
  terminal.type('logs out your other');
  await terminal.waitFor('▌API key');
  terminal.keys('Enter');
  await terminal.waitFor('Make a new API key?');
  terminal.keys('Down', 'Enter');
  await terminal.waitFor('Made a new API key, and saved it');
  await chat.server.as(chat.meg).refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  terminal.keys('Esc');
  await chat.sendToTopic(chat.otto, 'tides', 'still with you');
  const {text} = await terminal.waitFor('still with you');
  expect(text).not.toContain('Signed out');
});

slowTest('accounts: a screen that is logged out continues after a login in another terminal', async () => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(chat, usualSize, {home});
  const {api_key: key} = await chat.server.as(chat.meg).post('/users/me/api_key/regenerate');
  await terminal.waitFor('Signed out');
  const file = join(home, 'zuliprc');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^key=.*$/m, `key=${key}`), {mode: 0o600});
  await chat.sendToTopic(chat.otto, 'tides', 'welcome back');
  await terminal.waitFor('welcome back');
});
