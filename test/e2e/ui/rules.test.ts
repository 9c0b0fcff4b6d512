import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';

/** A server where Otto writes to Meg in a channel. */
async function organization() {
  const server = await testServer({rateLimited: false});
  const meg = server.people.add('Meg Member', {settings: {enter_sends: true}});
  const otto = server.people.member('Otto Ode');
  const channelId = server.people.channel('general', [meg, otto]);
  const says = async (topic: string, content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content})).id;
  const isRead = async (id: number) => (await server.as(meg).get(`/messages/${id}`)).message.flags.includes('read');
  const untilRead = (id: number) => expect.poll(() => isRead(id), {timeout: 60_000, interval: 300}).toBe(true);
  return {server, meg, says, isRead, untilRead};
}

/** Two organizations, and a home with Meg's accounts on both. */
async function twoOrganizations(rules: string) {
  const [alpha, beta] = [await organization(), await organization()];
  const home = scratchDirectory();
  const {config} = pathsOf({}, home);
  mkdirSync(join(config, 'accounts'), {recursive: true});
  for (const [name, {server, meg}] of Object.entries({alpha, beta})) {
    writeZuliprc(join(config, 'accounts', `${name}.zuliprc`), {
      site: server.url,
      email: meg.email,
      apiKey: meg.apiKey,
    });
  }
  const file = join(config, 'rules.toml');
  writeFileSync(file, rules, {mode: 0o600});
  return {
    alpha,
    beta,
    home,
    file,
    open: () => openParley({home, args: ['--account', 'alpha'], size: {cols: 80, rows: 24}}),
  };
}

async function quit(parley: ReturnType<typeof openParley>): Promise<void> {
  parley.keys('Esc', 'Ctrl-C', 'Ctrl-C');
  await parley.waitForExit();
}

const noise = '[[rule]]\nname = "noise"\naccount = "alpha"\ntopic = "noise"\nmark_read = true\n';

slowTest(
  'rules: a rule for one of two servers acts there only, an error is shown, and the key on a message adds a rule',
  async () => {
    const {alpha, beta, file, open} = await twoOrganizations(`${noise}[[rule]]\nname = "bad"\nchanel = "x"\n`);
    await alpha.says('boats', 'the tide is in');
    const parley = open();
    await parley.waitFor('rules.toml, line 8, column 1');
    const there = await beta.says('noise', 'blah');
    await alpha.untilRead(await alpha.says('noise', 'blah'));
    await parley.waitFor(/#general › boats/);
    parley.keys('Enter');
    await parley.waitFor('the tide is in');
    parley.keys('W');
    await parley.waitFor('Add the rule');
    parley.keys('Ctrl-D');
    await parley.waitFor('was added to');
    expect(readFileSync(file, 'utf8')).toMatch(/\n\n\[\[rule\]\]\nname = "#general › boats"\naccount = "alpha"\n/);
    parley.keys('g', 'Z');
    await parley.waitFor('Rule “noise”: 1 message marked read');
    parley.keys('Esc', 'Esc');
    await parley.waitFor('#general › noise');
    await alpha.untilRead(await alpha.says('boats', 'and out'));
    expect(await beta.isRead(there)).toBe(false);
  },
);

slowTest('rules: two programs on two servers act once, and what was undone stays undone after a restart', async () => {
  const {alpha, beta, open} = await twoOrganizations(noise.replace('account = "alpha"\n', ''));
  await alpha.says('boats', 'the tide is in');
  const both = [open(), open()];
  for (const parley of both) await parley.waitFor('#general › boats');
  const ids = [await alpha.says('noise', 'one'), await alpha.says('noise', 'two')];
  for (const id of ids) await alpha.untilRead(id);
  await beta.untilRead(await beta.says('noise', 'three'));
  for (const parley of both) await quit(parley);
  // Either program may have acted. The next one has the saved history of both.
  const next = open();
  await next.waitFor('#general › boats');
  next.keys('g', 'Z');
  await next.waitFor('Rule “noise”');
  next.keys('Enter');
  const undone = async () => (await Promise.all(ids.map(alpha.isRead))).indexOf(false);
  await expect.poll(undone, {timeout: 60_000, interval: 300}).toBeGreaterThanOrEqual(0);
  const before = await undone();
  await quit(next);
  const last = open();
  await last.waitFor('#general › noise');
  await alpha.untilRead(await alpha.says('noise', 'four'));
  expect(await undone()).toBe(before);
});
