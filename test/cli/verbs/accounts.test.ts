import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {accounts} from '#cli/verbs/accounts.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {accountDatabase, accountId, accountImages, pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
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

test('accounts: without accounts the output says how to add one', async () => {
  const {run, directory} = home();
  expect((await run([])).err).toContain('No account is set up. Add one with “parley login”');
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

/** Returns the input of a terminal in which this is typed. */
function typed(text: string) {
  const stdin = new PassThrough();
  onTestFinished(() => void stdin.destroy());
  stdin.write(text);
  return {stdin, inputIsTty: true};
}

test('accounts: remove needs --yes or a confirmation', async () => {
  const {store, run} = home('work', 'club');
  expect(await run(['remove', 'work'])).toMatchObject({code: 2});
  expect(await run(['remove', 'work'], typed('n\r'))).toMatchObject({code: 1});
  expect(store.names()).toEqual(['club', 'work']);
  expect(await run(['remove', 'work'], typed('y\r'))).toMatchObject({code: 0});
  expect(existsSync(store.file('work'))).toBe(false);
  expect(JSON.parse((await run(['remove', 'club', '--yes', '--json'])).out)).toEqual({
    removed: 'club',
    data: 'removed',
  });
  expect(store.names()).toEqual([]);
});

/** Opens the database of an account; the caller closes it. */
function storeOf(directory: string, name: string) {
  const path = accountDatabase(pathsOf({}, directory), accountId('https://chat.example.com', `${name}@example.com`));
  return {path, ...openAccountStore({path, clock: systemClock, random: Math.random, log: () => {}})};
}

/** Saves a first frame that shows the account of this database. */
function saveFirstFrame(directory: string, database: string): string {
  const file = join(directory, '.cache', 'parley', 'first-frame');
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `${JSON.stringify({database})}\nlast screen`);
  return file;
}

const filesBelow = (folder: string) =>
  readdirSync(folder, {recursive: true, withFileTypes: true}).filter((each) => each.isFile());

test('accounts: remove deletes the database with all its files, its images and the picture of its last screen, and no others', async () => {
  const {directory, run} = home('work', 'club', 'pub');
  const [work, club] = [storeOf(directory, 'work'), storeOf(directory, 'club')];
  work.store.close();
  club.store.close();
  for (const suffix of ['-wal', '.corrupt-20260101T000000Z', '.corrupt-20260101T000000Z-shm']) {
    writeFileSync(work.path + suffix, '');
  }
  const picture = saveFirstFrame(directory, work.path);
  const imagesOf = ({path}: {path: string}) => accountImages(pathsOf({}, directory), basename(path, '.db'));
  for (const store of [work, club]) {
    mkdirSync(imagesOf(store), {recursive: true});
    writeFileSync(join(imagesOf(store), 'image'), '');
  }
  expect(await run(['remove', 'work', '--yes'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Removed account “work” and its saved messages from this machine.'),
  });
  expect([picture, imagesOf(work), imagesOf(club)].map((path) => existsSync(path))).toEqual([false, false, true]);
  const left = filesBelow(directory).map(({name}) => name);
  expect(left.filter((name) => name.includes('work'))).toEqual([]);
  expect(left).toContain(basename(club.path));
  const ofOther = saveFirstFrame(directory, club.path);
  expect(await run(['remove', 'pub', '--yes'])).toMatchObject({code: 0});
  expect(existsSync(ofOther)).toBe(true);
  expect(await run(['remove', 'club', '--yes', '--keep-data'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Its saved messages, drafts and unsent messages stay on this machine.'),
  });
  expect([existsSync(club.path), existsSync(ofOther)]).toEqual([true, true]);
});

test('accounts: remove names unsent messages and drafts, and does not lose them without a question or --discard-unsent', async () => {
  const {directory, store, run} = home('work');
  const {path, store: data} = storeOf(directory, 'work');
  const conversation = {kind: 'direct', userIds: [7]} as const;
  for (const id of ['a', 'b']) data.outbox.add({id, conversation, content: 'x', createdAt: 1, draftId: undefined});
  data.drafts.put({
    id: 'd',
    serverId: undefined,
    target: conversation,
    content: 'y',
    editedAt: 1,
    base: undefined,
    status: 'dirty',
  });
  data.close();
  const unsent = '2 unsent messages and 1 draft that the server does not have';
  expect(await run(['remove', 'work', '--yes'])).toEqual({
    code: 1,
    out: '',
    err: `“work” has ${unsent}. Nothing was removed. Send them first, or add --discard-unsent or --keep-data.\n`,
  });
  const asked = await run(['remove', 'work'], typed('n\r'));
  expect(asked).toMatchObject({code: 1, err: expect.stringContaining(`It has ${unsent}: they will be lost.`)});
  expect([existsSync(path), store.names()]).toEqual([true, ['work']]);
  const again = storeOf(directory, 'work');
  expect(again.store.outbox.all()).toHaveLength(2);
  again.store.close();
  expect(await run(['remove', 'work', '--yes', '--discard-unsent'])).toMatchObject({code: 0});
  expect([existsSync(path), store.names()]).toEqual([false, []]);
});

test('accounts: remove is refused while Parley is open with the account', async () => {
  const {directory, store, run} = home('work');
  const {path, store: data} = storeOf(directory, 'work');
  expect(await run(['remove', 'work', '--yes'])).toEqual({
    code: 1,
    out: '',
    err: 'Parley is open with account “work”. Close it, then remove the account.\n',
  });
  expect([existsSync(path), store.names()]).toEqual([true, ['work']]);
  data.keyValues.set('still', 'usable');
  data.close();
  expect(await run(['remove', 'work', '--yes'])).toMatchObject({code: 0});
});

test('accounts: remove keeps saved messages that another account of the same user has too', async () => {
  const {directory, store, run} = home('work');
  const zuliprc = parseZuliprc(readFileSync(store.file('work'), 'utf8'), 'work', directory);
  store.add('office', zuliprc);
  const {path, store: data} = storeOf(directory, 'work');
  data.close();
  expect(await run(['remove', 'work', '--yes'])).toMatchObject({
    code: 0,
    err: 'The saved messages stay: ~/.config/parley/accounts/office.zuliprc is of the same user.\n',
  });
  expect(existsSync(path)).toBe(true);
  expect(await run(['remove', 'office', '--yes'])).toMatchObject({code: 0, err: ''});
  expect(existsSync(path)).toBe(false);
});

test('accounts: remove keeps saved messages that a zuliprc outside the accounts has too', async () => {
  const {directory, store, run} = home('work');
  const text = readFileSync(store.file('work'), 'utf8');
  const {path, store: data} = storeOf(directory, 'work');
  data.close();
  for (const name of ['zuliprc', '.zuliprc', 'chosen']) {
    writeFileSync(join(directory, name), text, {mode: 0o600});
    expect(await run(['remove', 'work', '--yes'], {env: {ZULIP_CONFIG: 'chosen'}})).toMatchObject({
      code: 0,
      err: `The saved messages stay: ~/${name} is of the same user.\n`,
    });
    expect(existsSync(path)).toBe(true);
    rmSync(join(directory, name));
    store.add('work', parseZuliprc(text, 'work', directory));
  }
  expect(await run(['remove', 'work', '--yes'])).toMatchObject({code: 0, err: ''});
  expect(existsSync(path)).toBe(false);
});

test.each([[['default']], [['remove']], [['remove', 'a', 'b']], [['wibble']], [['--wibble']], [['list', 'x']]])(
  'accounts: %j is a usage error in one line',
  async (argv) => {
    const {code, out, err} = await home('work').run(argv);
    expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1]);
  },
);
