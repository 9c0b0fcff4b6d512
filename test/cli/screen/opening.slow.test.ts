import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {mute} from '#test/support/terminal/persona.ts';

async function harbour() {
  const server = await testServer();
  // Who sends with Enter everywhere is asked nothing.
  const meg = server.people.add('Meg Member', {settings: {enter_sends: true}});
  const otto = server.people.member('Otto Ode');
  const channelId = server.people.channel('general', [meg, otto]);
  const says = (topic: string, content: string) =>
    server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content});
  return {server, meg, otto, says};
}

test('without an account there is a menu, and the demo with its guide is one key away', async () => {
  const parley = openParley({});
  await parley.waitFor('Welcome to Parley');
  await parley.waitFor('Try the built-in demo');
  parley.type('2');
  await parley.waitFor('five small things');
  parley.keys('Ctrl-C', 'Ctrl-C');
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test('leaving the menu leaves nothing behind', async () => {
  const parley = openParley({});
  await parley.waitFor('Press a number');
  parley.type('q');
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test.each([
  ['#general>boats', 'the tide is in'],
  ['@Otto Ode', 'just you'],
  ['is:mentioned', 'ahoy'],
])('parley %s opens there, from the network and again from the disk', async (place, text) => {
  const {server, meg, otto, says} = await harbour();
  await says('boats', 'the tide is in');
  await says('lunch', '@**Meg Member** ahoy');
  await server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content: 'just you'});
  const home = scratchDirectory();
  for (const _round of [1, 2]) {
    const parley = openParley({server, person: meg, home, args: [place]});
    await parley.waitFor(text);
    parley.keys('Ctrl-C', 'Ctrl-C');
    expect(await parley.waitForExit()).toMatchObject({code: 0});
  }
});

test('a place that is not there is said, and something useful is shown', async () => {
  const {server, meg, says} = await harbour();
  await says('boats', 'the tide is in');
  const parley = openParley({server, person: meg, args: ['#genral']});
  await parley.waitFor('There is no channel');
  await parley.waitFor('boats');
});

test('several accounts are shown in turn, each with its own', async () => {
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

test('an account that wants new lines from Enter is asked once what it means here', async () => {
  const {server, says} = await harbour();
  await says('boats', 'hello');
  const ann = server.people.add('Ann Other', {settings: {enter_sends: false}});
  const home = scratchDirectory();
  const first = openParley({server, person: ann, home});
  await first.waitFor('What should Enter do');
  first.keys('2');
  await first.waitFor(({text}) => !text.includes('What should Enter do'), 'the question answered');
  first.keys('Ctrl-C', 'Ctrl-C');
  await first.waitForExit();
  const second = openParley({server, person: ann, home});
  await second.waitFor('Inbox');
  await second.waitFor('●');
  expect(second.screen().text).not.toContain('What should Enter do');
});

test('without a terminal that can draw, what is unread is printed', async () => {
  const {server, meg, says} = await harbour();
  await says('boats', 'the tide is in');
  const parley = openParley({server, person: meg, persona: {...mute, env: {TERM: 'dumb'}}});
  await parley.waitFor('1 unread');
  await parley.waitFor('#general › boats');
  await parley.waitFor('parley --plain');
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test('settings and keys of files count, and what is wrong with them is said', async () => {
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
