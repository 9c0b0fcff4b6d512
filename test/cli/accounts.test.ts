import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {accounts} from '#cli/verbs/accounts.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const key = 'abcdefghijklmnopqrstuvwxyz012345';

/** Creates a home with these accounts. */
function home(...names: string[]) {
  const directory = scratchDirectory();
  const store = new NamedAccounts(pathsOf({}, directory));
  for (const name of names) {
    const text = `[api]\nemail=${name}@example.com\nkey=${key}\nsite=chat.example.com\n`;
    store.add(name, parseZuliprc(text, name, directory));
  }
  return {
    directory,
    store,
    async run(argv: readonly string[], options: Parameters<typeof testIo>[0] = {}) {
      const io = testIo({home: directory, ...options});
      return {code: await accounts(argv, io), out: io.out(), err: io.err()};
    },
  };
}

test('accounts: the list marks the default and never shows a key', async () => {
  const {store, run} = home('work', 'club');
  store.setDefault('work');
  writeFileSync(store.file('broken'), '[api]\nemail=x\n');
  const {code, out, err} = await run([]);
  expect([code, out, err]).toEqual([
    0,
    `  broken  ${store.file('broken')} has no “key” in its [api] section.\n` +
      '  club    club@example.com at https://chat.example.com\n' +
      '* work    work@example.com at https://chat.example.com\n',
    'In use: ~/.config/parley/accounts/work.zuliprc (the default account).\n',
  ]);
  const {out: json} = await run(['--json']);
  expect(JSON.parse(json)).toMatchObject({
    accounts: [
      {name: 'broken', problem: expect.any(String)},
      {name: 'club', default: false},
      {name: 'work', default: true},
    ],
    used: {name: 'work', why: 'the default account'},
  });
  expect(out + json).not.toContain(key);
});

test('accounts: without accounts the output names what is used instead', async () => {
  const {run, directory} = home();
  expect((await run([])).err).toContain('Parley uses the demo organization');
  expect(JSON.parse((await run(['--json'])).out)).toEqual({accounts: [], used: null});
  writeFileSync(join(directory, 'zuliprc'), '');
  expect((await run([])).err).toBe('No named accounts. In use: ~/zuliprc (found ~/zuliprc).\n');
});

test('accounts: only an existing account can become the default', async () => {
  const {store, run} = home('work', 'club');
  expect(await run(['default', 'club'])).toMatchObject({code: 0});
  expect(store.chosenDefault()).toBe('club');
  expect(await run(['default', 'holiday'])).toEqual({
    code: 1,
    out: '',
    err: 'There is no account “holiday”. Accounts: club, work.\n',
  });
  expect(store.chosenDefault()).toBe('club');
});

test('accounts: remove needs --yes or a confirmation', async () => {
  const {store, run} = home('work', 'club');
  const typed = (text: string) => {
    const stdin = new PassThrough();
    onTestFinished(() => void stdin.destroy());
    stdin.write(text);
    return {stdin, inputIsTty: true};
  };
  expect(await run(['remove', 'work'])).toMatchObject({code: 2});
  expect(await run(['remove', 'work'], typed('n\r'))).toMatchObject({code: 1});
  expect(store.names()).toEqual(['club', 'work']);
  expect(await run(['remove', 'work'], typed('y\r'))).toMatchObject({code: 0});
  expect(existsSync(store.file('work'))).toBe(false);
  expect(JSON.parse((await run(['remove', 'club', '--yes', '--json'])).out)).toEqual({removed: 'club'});
  expect(store.names()).toEqual([]);
});

test.each([[['default']], [['remove']], [['remove', 'a', 'b']], [['wibble']], [['--wibble']], [['list', 'x']]])(
  'accounts: %j is a usage error in one line',
  async (argv) => {
    const {code, out, err} = await home('work').run(argv);
    expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1]);
  },
);
