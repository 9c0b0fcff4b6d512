import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {controlFolder} from '#cli/control/status-text.ts';
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
  const env = {PARLEY_ORGANIZATIONS: 'separate'};
  const parley = openParley({home, env, args: ['--account', 'alpha'], size: {cols: 120, rows: 30}});
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
  writeFileSync(join(config, 'config.toml'), 'glyphs = "ascii"\ncontrol = false\n');
  writeFileSync(join(config, 'keys.toml'), '[nav]\n"g q" = "no.such"\n"Ctrl-T" = "view.recent"\n');
  const parley = openParley({server, person: meg, home});
  await parley.waitFor('there is no command “no.such”');
  expect(parley.screen().text).not.toMatch(/[▌│─]/);
  parley.keys('Ctrl-T');
  await parley.waitFor('Recent conversations');
  parley.keys('Ctrl-C', 'Ctrl-C');
  await parley.waitForExit();
  expect(existsSync(controlFolder(pathsOf({}, home)))).toBe(false);
});

slowTest('open: who used an earlier version sees once that keys changed; a new user does not', async () => {
  const {server, meg, says} = await harbour();
  for (const topic of ['boats', 'trains']) await says(topic, 'the tide is in');
  const home = scratchDirectory();
  const note = 'e is done and z is undo everywhere now; E edits';
  const run = async (expected: string) => {
    const parley = openParley({server, person: meg, home, size: {cols: 120, rows: 30}});
    for (const topic of ['boats', 'trains']) await parley.waitFor(topic);
    const first = parley.screen().lines.findIndex((line) => line.includes('▌'));
    // The program answers a key only after its start.
    parley.keys('j');
    await parley.waitFor(({lines}) => lines.findIndex((line) => line.includes('▌')) > first, 'the next row');
    const {text} = await parley.waitFor(expected);
    parley.keys('Ctrl-C', 'Ctrl-C');
    await parley.waitForExit();
    return text.includes(note);
  };
  expect(await run('e done')).toBe(false);
  const directory = join(pathsOf({}, home).data, 'accounts');
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.db'))) {
    const database = new DatabaseSync(join(directory, name));
    database.exec("DELETE FROM note WHERE name = 'keys.note'");
    database.close();
  }
  expect([await run(note), await run('e done')]).toEqual([true, false]);
});
