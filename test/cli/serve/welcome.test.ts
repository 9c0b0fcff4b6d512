import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {writeAccounts} from '#cli/serve/data-directory.ts';
import {welcomeText} from '#cli/serve/serve.ts';
import {parseServeOptions} from '#cli/serve/serve-options.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {testServer} from '#test/support/server.ts';

test('serve: the output names the private file with the owner’s key, and does not contain the key', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-welcome-'));
  onTestFinished(() => rmSync(directory, {recursive: true}));
  const founding = {organization: 'Harbour', ownerName: 'Ann', ownerEmail: 'ann@example.com', password: undefined};
  const choice = {world: 'empty', size: 'small', founding} as const;
  const server = await testServer({prepare: (world) => seedWorld(world, choice, () => {})});
  const options = parseServeOptions(['--world', 'empty', '--memory'], {});
  if (options === 'help') throw new Error('No help was asked for');
  const accounts = writeAccounts(server.context, directory);
  const text = welcomeText(server, options, accounts);
  expect(accounts.map(({role}) => role)).toEqual([100]);
  for (const {api_key, zuliprc} of accounts) {
    expect(text).toContain(zuliprc);
    expect(text).not.toContain(api_key);
    expect(statSync(zuliprc).mode & 0o777).toBe(0o600);
  }
  const [first] = accounts;
  const many = (count: number) =>
    welcomeText(
      server,
      options,
      Array.from({length: count}, () => first ?? expect.fail()),
    );
  expect(many(8)).not.toContain('more');
  expect(many(10)).toContain('and 2 more');
});

test('serve: a new organization announces new channels in its first channel', async () => {
  const founding = {organization: 'Harbour', ownerName: 'Ann', ownerEmail: 'ann@example.com', password: undefined};
  const choice = {world: 'empty', size: 'small', founding} as const;
  const server = await testServer({prepare: (world) => seedWorld(world, choice, () => {})});
  const {db} = server.context;
  const value = db.value(`SELECT value FROM realm_setting WHERE name = 'new_stream_announcements_stream_id'`);
  expect(Number(value)).toBe(db.value(`SELECT id FROM channel WHERE name = 'general'`));
});
