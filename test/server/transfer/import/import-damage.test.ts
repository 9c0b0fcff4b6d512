import {readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {
  archiveOf,
  changeJson,
  exportDirectory,
  orchardFiles,
  type TarItem,
} from '#test/server/transfer/archive-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {importInto, orchardArchive} from './import-fixture.ts';

/** Returns the sentence with which the import of an export fails. */
async function problemOf(path: string, maxBytes = 1e9): Promise<string> {
  const directory = scratchDirectory();
  const failure = await importInto(directory, path, {maxBytes}).then(
    () => new Error('imported'),
    (error: Error) => error,
  );
  expect(failure).toMatchObject({name: 'ImportError'});
  expect(readdirSync(directory)).not.toContain('work');
  return failure.message;
}

const realm: TarItem = {path: 'export/realm.json', content: Buffer.from('{}')};

describe('import: an archive is refused that', () => {
  test.each<[string, readonly TarItem[], string]>([
    ['has an absolute path', [{path: '/etc/realm.json'}], 'the path “/etc/realm.json”'],
    ['leaves its directory', [realm, {path: 'export/uploads/../../x'}], 'the path “export/uploads/../../x”'],
    [
      'has a symbolic link',
      [realm, {path: 'export/uploads/a', type: '2'}],
      '“export/uploads/a”, which is neither a file',
    ],
    ['has a hard link', [realm, {path: 'export/uploads/a', type: '1'}], 'neither a file nor a directory'],
    ['has a device', [realm, {path: 'export/uploads/a', type: '3'}], 'neither a file nor a directory'],
    ['has a path twice', [realm, realm], '“realm.json” twice'],
    ['has two exports', [realm, {path: 'other/realm.json', content: Buffer.from('{}')}], 'two exports'],
    ['has no realm.json', [{path: 'export/attachment.json', content: Buffer.from('{}')}], 'has no realm.json'],
    ['is still being written', [realm, {path: 'export/messages-000001.json.partial'}], 'is unfinished'],
    ['lacks messages', [realm, {path: 'export/messages-000002.json', content: Buffer.from('{}')}], 'the number 1'],
    ['declares more than it has', [{...realm, declaredSize: 10_000_000}], 'ends early'],
    ['has an impossible size', [{...realm, declaredSize: -1}], 'is damaged'],
  ])('%s', async (_what, items, sentence) => {
    expect(await problemOf(archiveOf(items))).toContain(sentence);
  });

  test('is larger than the limit when unpacked, whatever it declares', async () => {
    const bomb = archiveOf([realm, {path: 'export/stats.json', content: Buffer.alloc(20_000_000)}]);
    expect(await problemOf(bomb, 1_000_000)).toContain('larger than --max-size allows');
    const many = Array.from({length: 300}, (_, index) => ({path: `export/uploads/${index}`}));
    expect(await problemOf(archiveOf([realm, ...many]), 1_000_000)).toContain('larger than --max-size allows');
  });

  test('is no archive, or not there', async () => {
    const path = join(scratchDirectory(), 'export.tar.gz');
    expect(await problemOf(path)).toBe(`${path} cannot be read.`);
    writeFileSync(path, 'not an archive');
    expect(await problemOf(path)).toContain('no .tar.gz archive');
    writeFileSync(path, gzipSync('not a tar archive'.repeat(100)));
    expect(await problemOf(path)).toContain('no tar archive');
  });

  test('ends anywhere', async () => {
    const whole = readFileSync(orchardArchive);
    const path = join(scratchDirectory(), 'export.tar.gz');
    for (let length = 0; length < whole.length - 100; length += 5000) {
      writeFileSync(path, whole.subarray(0, length));
      expect(await problemOf(path)).toMatch(/ends early|no .tar.gz archive/);
    }
  });
});

test('import: a directory with a link is refused', async () => {
  const directory = exportDirectory(await orchardFiles());
  symlinkSync('/etc/passwd', join(directory, 'uploads', 'link'));
  expect(await problemOf(directory)).toContain('“uploads/link”, which is neither a file nor a directory');
});

describe('import: an incomplete export is refused that', () => {
  test.each<[string, string, (tables: Reply) => void, string]>([
    ['has no organization', 'realm.json', (tables) => tables.zerver_realm.splice(0), 'has no organization'],
    [
      'has no owner',
      'realm.json',
      ({zerver_userprofile: people}) => {
        for (const person of people) person.role = Math.max(person.role, 200);
      },
      'none of its people is an owner',
    ],
  ])('%s', async (_what, file, change, sentence) => {
    const files = await orchardFiles();
    changeJson(files, file, change);
    expect(await problemOf(exportDirectory(files))).toContain(sentence);
  });

  test('has no attachment.json', async () => {
    const files = await orchardFiles();
    files.delete('attachment.json');
    expect(await problemOf(exportDirectory(files))).toContain('no attachment.json');
  });
});

describe('import: the report names', () => {
  async function reportOf(change: (files: Awaited<ReturnType<typeof orchardFiles>>) => void) {
    const files = await orchardFiles();
    change(files);
    return (await importInto(scratchDirectory(), exportDirectory(files))).report;
  }

  test('nothing of a complete export', async () => {
    expect(await reportOf(() => {})).toMatchObject({doubts: [], inactiveOwner: undefined});
  });

  test('an unknown version', async () => {
    const {doubts} = await reportOf((files) =>
      changeJson(files, 'migration_status.json', (status) => {
        status.zulip_version = '14.1';
      }),
    );
    expect(doubts).toEqual([expect.stringContaining('“14.1”')]);
  });

  test('messages that are missing', async () => {
    const {doubts} = await reportOf((files) => {
      files.delete('messages-000001.json');
      changeJson(files, 'realm.json', (tables) => {
        for (const name of ['reaction', 'submessage']) tables[`zerver_${name}`] = [];
      });
    });
    expect(doubts).toEqual([
      expect.stringMatching(/^The first messages of \d+ public channels are missing/),
      expect.stringMatching(/^\d+ files belong to messages that are missing/),
    ]);
  });

  test('an owner who has to be reactivated', async () => {
    const report = await reportOf((files) =>
      changeJson(files, 'realm.json', ({zerver_userprofile: people}) => {
        for (const person of people) if (person.role === 100) person.is_active = false;
      }),
    );
    expect(report.inactiveOwner).toMatch(/@/);
  });
});

describe('import: the sentence about a damaged row names the file, the table and the row', () => {
  test.each<[string, string, string, Reply, string]>([
    ['a missing key', 'realm.json', 'zerver_userprofile', {role: undefined}, '“role” is missing.'],
    ['an unknown role', 'realm.json', 'zerver_userprofile', {role: 150}, 'there is no role 150.'],
    [
      'a bad address',
      'realm.json',
      'zerver_userprofile',
      {delivery_email: 'no address'},
      '“no address” is not an e-mail',
    ],
    ['a name that is a number', 'realm.json', 'zerver_stream', {name: 7}, '“name” is not a text.'],
    ['a name that is too long', 'realm.json', 'zerver_stream', {name: 'x'.repeat(61)}, 'longer than 60 characters.'],
    ['a NUL', 'realm.json', 'zerver_stream', {name: 'a\0b'}, '“name” contains a NUL character.'],
    [
      'a group that is not there',
      'realm.json',
      'zerver_stream',
      {can_subscribe_group: 99_999},
      'the group 99999, which is not',
    ],
    [
      'a date in another form',
      'realm.json',
      'zerver_stream',
      {date_created: '2026-01-01'},
      '“date_created” is not a time',
    ],
    ['a date before 1970', 'realm.json', 'zerver_stream', {date_created: -5}, '“date_created” is not a time'],
    [
      'an id that is a text',
      'realm.json',
      'zerver_reaction',
      {user_profile: '122'},
      '“user_profile” is not a whole number',
    ],
    [
      'an id that is too large',
      'realm.json',
      'zerver_reaction',
      {user_profile: 2 ** 60},
      '“user_profile” is not a whole number',
    ],
    ['an unknown message', 'realm.json', 'zerver_reaction', {message: 1}, '“message” names 1, which is not'],
    ['an unknown recipient', 'realm.json', 'zerver_subscription', {recipient: 1}, '“recipient” names 1'],
    ['an unknown sender', 'messages-000001.json', 'zerver_message', {sender: 1}, '“sender” names the user 1'],
    ['no content', 'messages-000001.json', 'zerver_message', {content: null}, '“content” is missing.'],
    [
      'edits that are no list',
      'messages-000001.json',
      'zerver_message',
      {edit_history: '{'},
      '“edit_history” is not a list',
    ],
    ['flags of an unknown message', 'messages-000001.json', 'zerver_usermessage', {message: 1}, '“message” names 1'],
    [
      'flags that are a text',
      'messages-000001.json',
      'zerver_usermessage',
      {flags_mask: 'read'},
      '“flags_mask” is not a whole',
    ],
    ['an unknown owner', 'attachment.json', 'zerver_attachment', {owner: 1}, '“owner” names the user 1'],
  ])('%s', async (_what, file, table, change, sentence) => {
    const files = await orchardFiles();
    changeJson(files, file, (tables) => {
      tables[table][2] = {...tables[table][2], ...change};
    });
    const problem = await problemOf(exportDirectory(files));
    expect(problem).toContain(sentence);
    expect(problem).toContain(`${file}, ${table}, row 3: `);
  });

  test.each([
    [
      'a row that is a number',
      (text: string) => text.replace('"zerver_client": [', '"zerver_client": [7,'),
      'not an object',
    ],
    ['a file that ends in a row', (text: string) => text.slice(0, 200_000), 'realm.json: the file ends'],
    [
      'a table that is there twice',
      (text: string) => text.replace('{', '{"zerver_stream": [],'),
      '“zerver_stream” is there twice',
    ],
    ['a bracket too many', (text: string) => `${text}]`, 'something follows the end of the data'],
    [
      'bytes that are no JSON',
      (text: string) => text.replace('"zerver_client": [', '"zerver_client": [{x},'),
      'not JSON',
    ],
  ])('%s', async (_what, change, sentence) => {
    const files = await orchardFiles();
    files.set('realm.json', Buffer.from(change(files.get('realm.json')?.toString() ?? '')));
    expect(await problemOf(exportDirectory(files))).toContain(sentence);
  });
});
