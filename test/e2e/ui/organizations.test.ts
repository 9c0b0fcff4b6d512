import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';
import {reportFocus} from './two-user-fixture.ts';

/** A server where Otto writes to Meg in a channel. */
async function organization() {
  const server = await testServer();
  // With this setting the question about Enter is not asked.
  const meg = server.people.add('Meg Member', {settings: {enter_sends: true}});
  const otto = server.people.member('Otto Ode');
  const channelId = server.people.channel('general', [meg, otto]);
  const says = (topic: string, content: string) =>
    server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content});
  const unread = async () => {
    const narrow = [{operator: 'is', operand: 'unread'}];
    const {messages} = await server
      .as(meg)
      .get('/messages', {anchor: 'newest', num_before: 10, num_after: 0, narrow: JSON.stringify(narrow)});
    return messages.length as number;
  };
  return {server, meg, says, unread};
}

type Organization = Awaited<ReturnType<typeof organization>>;

/** Writes the accounts of Meg; a name without an organization gets a server that nobody runs. */
function homeWith(accounts: Readonly<Record<string, Organization | undefined>>): string {
  const home = scratchDirectory();
  const directory = join(pathsOf({}, home).config, 'accounts');
  mkdirSync(directory, {recursive: true});
  for (const [name, its] of Object.entries(accounts)) {
    writeZuliprc(join(directory, `${name}.zuliprc`), {
      site: its?.server.url ?? 'http://127.0.0.1:9',
      email: its?.meg.email ?? 'meg@example.com',
      apiKey: its?.meg.apiKey ?? 'a'.repeat(32),
    });
  }
  return home;
}

test('organizations: one inbox has the conversations of two servers, and each key acts on the right one', async () => {
  const [alpha, beta] = [await organization(), await organization()];
  await alpha.says('boats', 'the tide is in');
  await beta.says('trains', 'the train is late');
  const home = homeWith({alpha, beta});
  const parley = openParley({home, args: ['--account', 'alpha'], size: {cols: 80, rows: 24}});
  await parley.waitFor(({text}) => /al #general › boats/.test(text) && /be #general › trains/.test(text), 'both rows');
  parley.keys('j');
  // The preview shows the conversation of the other server, and the header its account.
  await parley.waitFor(
    ({text, lines}) => text.includes('the train is late') && lines[0]?.includes('beta') === true,
    'beta',
  );
  parley.keys('e');
  await expect.poll(beta.unread, {timeout: 60_000, interval: 500}).toBe(0);
  expect(await alpha.unread()).toBe(1);
  // The last row of beta is done, so that the cursor goes back to alpha; undo returns to beta.
  parley.keys('z');
  await expect.poll(beta.unread, {timeout: 60_000, interval: 500}).toBe(1);
  await parley.waitFor(({lines}) => lines[0]?.includes('beta') === true, 'beta again');
  parley.keys('k', 'e');
  await expect.poll(alpha.unread, {timeout: 60_000, interval: 500}).toBe(0);
  expect(await beta.unread()).toBe(1);
  // Size, focus and title belong to the terminal, whichever account is shown when they change.
  parley.keys('Enter');
  await parley.waitFor(({lines}) => /beta.*trains/.test(lines[0] ?? ''), 'the conversation of beta');
  await expect.poll(beta.unread, {timeout: 60_000, interval: 500}).toBe(0);
  parley.keys('Alt-1');
  await parley.waitFor(({lines}) => /alpha.*Inbox/.test(lines[0] ?? ''), 'the inbox of alpha');
  await expect.poll(() => parley.title).toContain('Inbox —');
  const written = parley.transcript().length;
  await reportFocus(parley, false);
  parley.resize(100, 30);
  await parley.waitFor(({lines}) => lines[29]?.includes('NAV') === true, 'alpha at the new size');
  await beta.says('trains', 'it has arrived');
  await expect.poll(() => parley.title).toMatch(/^\(beta 1\) Inbox —/);
  expect(parley.transcript().slice(written)).not.toMatch(/\]2;[^\u0007]*trains/);
  parley.keys('Alt-2');
  await parley.waitFor(({lines}) => /beta.*trains/.test(lines[0] ?? '') && lines[29]?.includes('NAV') === true, 'beta');
  await parley.waitFor('it has arrived');
  await expect.poll(() => parley.title).toContain('trains —');
  await beta.says('trains', 'and leaves again');
  await parley.waitFor('and leaves again');
  expect(await beta.unread()).toBe(2);
  await reportFocus(parley, true);
  await expect.poll(beta.unread, {timeout: 60_000, interval: 500}).toBe(0);
  parley.keys('g', ',');
  await parley.waitFor('find a setting');
  parley.type('characters for lines');
  await parley.waitFor(/▌Symbols/);
  parley.keys('Enter');
  await parley.waitFor('ASCII');
  parley.type('ascii');
  parley.keys('Enter', 'Esc');
  await parley.waitFor(({text}) => /beta.*trains/.test(text) && !text.includes('│'), 'beta without lines');
  parley.keys('Alt-1');
  await parley.waitFor(({text}) => /alpha.*Inbox/.test(text) && !text.includes('│'), 'alpha without lines');
});

slowTest(
  'organizations: a server that is down, an account that is logged out and a broken file say so in one line',
  async () => {
    const [alpha, gone] = [await organization(), await organization()];
    await alpha.says('boats', 'the tide is in');
    const home = homeWith({alpha, down: undefined, out: {...gone, meg: {...gone.meg, apiKey: 'b'.repeat(32)}}});
    writeFileSync(join(pathsOf({}, home).config, 'accounts', 'broken.zuliprc'), '[api]\n');
    const parley = openParley({home, args: ['--account', 'alpha'], size: {cols: 80, rows: 24}});
    await parley.waitFor('al #general › boats');
    await parley.waitFor(
      /broken: .* \(Alt-2\) · down: not connected since .* \(Alt-3\) · out: logged out\s+\(Alt-4\)/s,
    );
    await alpha.says('sails', 'the wind is up');
    await parley.waitFor('al #general › sails');
  },
);

slowTest(
  'accounts: the shown account is removed from this machine, the other one follows, and the last one ends Parley',
  async () => {
    const [alpha, beta] = [await organization(), await organization()];
    await alpha.says('boats', 'the tide is in');
    await beta.says('trains', 'the train is late');
    const home = homeWith({alpha, beta});
    const file = (name: string) => join(pathsOf({}, home).config, 'accounts', `${name}.zuliprc`);
    const parley = openParley({home, args: ['--account', 'alpha'], size: {cols: 100, rows: 30}});
    await parley.waitFor('#general › boats');
    parley.keys(';');
    await parley.waitFor('Commands');
    parley.type('log out');
    await parley.waitFor('Remove an account from this machine');
    parley.keys('Enter');
    await parley.waitFor('asks, then removes it');
    parley.keys('Enter');
    await parley.waitFor('Remove alpha and its saved messages');
    parley.keys('n');
    await parley.waitFor(({text}) => !text.includes('Remove alpha') && text.includes('boats'), 'the question is gone');
    expect(existsSync(file('alpha'))).toBe(true);
    parley.keys('g', 'a');
    await parley.waitFor('Remove an account…');
    parley.keys('Up', 'Enter');
    await parley.waitFor('asks, then removes it');
    parley.keys('Enter');
    await parley.waitFor('Remove alpha and its saved messages');
    parley.keys('y');
    await parley.waitFor(({text}) => text.includes('Removed account “alpha”') && text.includes('trains'), 'beta alone');
    expect([existsSync(file('alpha')), existsSync(file('beta'))]).toEqual([false, true]);
    parley.keys('j', 'r');
    await parley.waitFor(({cursor}) => cursor.visible, 'keys work');
    parley.keys('Esc');
    parley.keys(';');
    await parley.waitFor('Commands');
    parley.type('sign out');
    await parley.waitFor('Remove an account from this machine');
    parley.keys('Enter');
    await parley.waitFor('Remove beta and quit');
    parley.keys('y');
    expect(await parley.waitForExit()).toMatchObject({code: 0});
    expect(existsSync(file('beta'))).toBe(false);
  },
);
