import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

function zuliprc(server: {readonly url: string}, {email, apiKey}: Pick<Person, 'email' | 'apiKey'>): string {
  return `[api]\nemail=${email}\nkey=${apiKey}\nsite=${server.url}\n`;
}

/** A server with an unread message about soup. */
async function withSoup(topic: string): Promise<{server: TestServer; meg: Person}> {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('general', [meg, otto]);
  await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic, content: `soup in ${topic}`});
  return {server, meg};
}

/** A home with the accounts “club” and “work” on two servers. */
async function scene() {
  const [club, work] = [await withSoup('rowing'), await withSoup('lunch')];
  const home = scratchDirectory();
  const accounts = new NamedAccounts(pathsOf({}, home));
  for (const [name, {server, meg}] of Object.entries({club, work}))
    accounts.add(name, parseZuliprc(zuliprc(server, meg), name, home));
  const run = async (verb: TableVerbName, ...argv: string[]) => {
    const io = testIo({home, random: Math.random});
    const code = await runVerb(verb, argv, io);
    return {code, out: io.out(), err: io.err()};
  };
  return {club, work, home, accounts, run};
}

test('all accounts: unread counts, the inbox and catch-up have a heading for each account', async () => {
  const {run} = await scene();
  expect(await run('unread', '--all')).toEqual({
    code: 0,
    out: 'club\n1 unread message in 1 conversation\n  1  #general › rowing\n\nwork\n1 unread message in 1 conversation\n  1  #general › lunch\n',
    err: '',
  });
  for (const verb of ['inbox', 'catch-up'] as const)
    expect((await run(verb, '--all')).out).toMatch(/^club\n[\s\S]*soup in rowing\n\nwork\n[\s\S]*soup in lunch\n$/);
});

test('all accounts: each JSON object is one line with the name of its account', async () => {
  const {run} = await scene();
  const linesOf = async (verb: TableVerbName, ...argv: string[]) => {
    const {out} = await run(verb, ...argv, '--all', '--json');
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  expect(await linesOf('unread')).toMatchObject([
    {account: 'club', total: 1},
    {account: 'work', total: 1},
  ]);
  expect(await linesOf('catch-up')).toMatchObject([{account: 'club'}, {account: 'work'}]);
  expect(await linesOf('search', 'soup')).toMatchObject([
    {account: 'club', content: 'soup in rowing'},
    {account: 'work', content: 'soup in lunch'},
  ]);
});

test('all accounts: an account whose server is stopped is reported, and the others are printed', async () => {
  const {run, club} = await scene();
  await club.server.close();
  for (const argv of [['unread'], ['inbox'], ['catch-up'], ['search', 'soup']] as const) {
    const [verb, ...words] = argv;
    const {code, out, err} = await run(verb, ...words, '--all');
    expect([code, out]).toEqual([4, expect.stringMatching(/^club\n\nwork\n[\s\S]*lunch/)]);
    expect(err).toMatch(/^club: [^\n]+\.\n$/);
  }
});

test('all accounts: the exit code is the highest of the accounts that failed', async () => {
  const {run, club, accounts} = await scene();
  writeFileSync(accounts.file('alone'), '[api]\nemail=x\n');
  expect((await run('unread', '--all')).code).toBe(3);
  await club.server.close();
  const {code, err} = await run('unread', '--all');
  expect([code, err]).toEqual([4, expect.stringMatching(/^alone: .*\nclub: .*\n$/)]);
});

test('all accounts: a search that matches in one account succeeds, and says where nothing matches', async () => {
  const {run} = await scene();
  const found = await run('search', 'lunch', '--all');
  expect([found.code, found.err]).toEqual([0, 'club: No messages match “lunch”.\n']);
  expect((await run('search', 'bread', '--all')).code).toBe(1);
});

test('all accounts: an invalid command line is reported once', async () => {
  const {run} = await scene();
  const refusal = (option: string) => ({code: 2, out: '', err: `Use either ${option} or --all, not both.\n`});
  expect(await run('unread', '--all', '--account', 'club')).toEqual(refusal('--account'));
  expect(await run('unread', '--all', '--config', 'file')).toEqual(refusal('--config'));
  const {code, err} = await run('catch-up', '--all', '--since', 'nonsense');
  expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1]);
});

test('all accounts: the account without a name is among them if it is used by default', async () => {
  const {run, home, accounts, work} = await scene();
  const file = join(home, 'zuliprc');
  writeFileSync(file, zuliprc(work.server, work.meg), {mode: 0o600});
  expect((await run('unread', '--all')).out).toContain('\n\n~/zuliprc\n1 unread message');
  for (const name of ['club', 'work']) accounts.remove(name);
  expect((await run('unread', '--all')).out).toMatch(/^~\/zuliprc\n1 unread message/);
});

test('all accounts: without an account the sentence says how to add one', async () => {
  const io = testIo();
  expect(await runVerb('unread', ['--all'], io)).toBe(3);
  expect(io.err()).toContain('No account is set up.');
});
