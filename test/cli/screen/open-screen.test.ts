import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';

async function harbour() {
  const server = await testServer();
  // With this setting the question about Enter is not asked.
  const meg = server.people.add('Meg Member', {settings: {enter_sends: true}});
  const otto = server.people.member('Otto Ode');
  const channelId = server.people.channel('general', [meg, otto]);
  const says = (topic: string, content: string) =>
    server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content});
  return {server, meg, otto, says};
}

slowTest('open: without an account the menu appears, and one key opens the demo with its tour', async () => {
  const parley = openParley({});
  await parley.waitFor('Welcome to Parley');
  await parley.waitFor('Try the built-in demo');
  parley.type('2');
  await parley.waitFor('Tour 1/');
  parley.keys('Ctrl-C', 'Ctrl-C');
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test('open: quitting the menu creates no files', async () => {
  const parley = openParley({});
  await parley.waitFor('Press a number');
  parley.type('q');
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test('open: switching accounts shows each with its own state', async () => {
  const [here, there] = [await harbour(), await harbour()];
  await here.says('boats', 'over here');
  await there.says('trains', 'over there');
  const home = scratchDirectory();
  const accounts = join(pathsOf({}, home).config, 'accounts');
  mkdirSync(accounts, {recursive: true});
  for (const [name, {server, meg}] of Object.entries({alpha: here, beta: there})) {
    writeZuliprc(join(accounts, `${name}.zuliprc`), {
      site: server.url,
      email: meg.email,
      apiKey: meg.apiKey,
    });
  }
  const parley = openParley({home, args: ['--account', 'alpha'], size: {cols: 120, rows: 30}});
  await parley.waitFor('boats');
  parley.keys('Alt-2');
  await parley.waitFor('trains');
  await parley.waitFor(({text}) => !text.includes('boats'), 'only the other account');
  parley.keys('Alt-1');
  await parley.waitFor('boats');
});

test('open: settings and keys from files apply, and their problems are shown', async () => {
  const {server, meg, says} = await harbour();
  await says('boats', 'the tide is in');
  const home = scratchDirectory();
  const {config} = pathsOf({}, home);
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.toml'), 'glyphs = "ascii"\n');
  writeFileSync(join(config, 'keys.toml'), '[nav]\n"g q" = "no.such"\n"Ctrl-T" = "view.recent"\n');
  const parley = openParley({server, person: meg, home});
  await parley.waitFor('there is no command “no.such”');
  expect(parley.screen().text).not.toMatch(/[▌│─]/);
  parley.keys('Ctrl-T');
  await parley.waitFor('Recent conversations');
});
