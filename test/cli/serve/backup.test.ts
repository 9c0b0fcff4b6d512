import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {changeRows, copyOf, demoDirectory, operate} from './operator-fixture.ts';

interface MadeBackup {
  readonly backup: string;
  readonly files: number;
  readonly linkedFiles: number;
}

async function backUp(data: string, out: string, ...options: string[]): Promise<MadeBackup> {
  const {code, out: text, err} = await operate('serve backup', [out, '--data', data, '--json', ...options]);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(text);
}

/** Returns the paths and contents of all files below a directory, except the database. */
function contents(directory: string): Record<string, string> {
  const paths = readdirSync(directory, {recursive: true, encoding: 'utf8'}).filter(
    (path) => !path.includes('parley.db'),
  );
  const files = paths.filter((path) => statSync(join(directory, path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(directory, path), 'latin1')]));
}

test('serve backup: a restored backup has the same data, is private, and is whole; later backups share its files', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  const first = await backUp(data, out);
  const restored = join(scratchDirectory(), 'a', 'restored');
  const {code, out: text} = await operate('serve restore', [out, '--data', restored]);
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(/^Restored the backup of \d{4}-.* to .*restored: \d+ files, [\d.]+ MB\.\n$/),
  ]);
  expect({...contents(join(restored, 'files')), secret: 1}).toEqual({...contents(join(data, 'files')), secret: 1});
  expect(readFileSync(join(restored, 'secret'))).toEqual(readFileSync(join(data, 'secret')));
  expect(await operate('serve check', ['--data', restored])).toMatchObject({code: 0});
  for (const path of readdirSync(first.backup, {recursive: true, encoding: 'utf8'})) {
    expect([path, statSync(join(first.backup, path)).mode & 0o077]).toEqual([path, 0]);
  }

  const second = await backUp(data, out);
  expect(second).toMatchObject({files: first.files, linkedFiles: first.files - 2});
  writeFileSync(join(data, 'files', 'new.png'), 'new');
  const full = await backUp(data, out, '--full', '--keep', '2');
  expect(full).toMatchObject({files: first.files + 1, linkedFiles: 0});
  expect(readdirSync(out).map((name) => join(out, name))).toEqual([second.backup, full.backup]);
  expect((await operate('serve restore', [second.backup, '--data', join(scratchDirectory(), 'x')])).code).toBe(0);
});

test('serve restore: a backup that is not whole is refused in one sentence, and nothing is put in place', async () => {
  const data = await demoDirectory();
  const made = (await backUp(data, join(scratchDirectory(), 'backups'))).backup;
  const manifest = (directory: string) => join(directory, 'manifest.jsonl');
  const edit = (directory: string, change: (text: string) => string) =>
    writeFileSync(manifest(directory), change(readFileSync(manifest(directory), 'utf8')));
  const aFile = Object.keys(contents(made)).find((path) => path.startsWith('files/')) ?? '';
  const damages: [sentence: RegExp, damage: (directory: string) => void][] = [
    [
      /^parley\.db is damaged: it is not the file that was backed up\./,
      (each) => appendFileSync(join(each, 'parley.db'), 'x'),
    ],
    [/^files\/.* is damaged: /, (each) => writeFileSync(join(each, aFile), 'other')],
    [/^files\/.* is missing in the backup\./, (each) => rmSync(join(each, aFile))],
    [/^secret is missing in the backup\./, (each) => rmSync(join(each, 'secret'))],
    [/is not a backup: it has no manifest\.jsonl\./, (each) => rmSync(manifest(each))],
    [/is not a backup: its manifest\.jsonl is another file\./, (each) => writeFileSync(manifest(each), '{}\n')],
    [
      /^The end of manifest\.jsonl is missing/,
      (each) => edit(each, (text) => text.split('\n').slice(0, -2).join('\n')),
    ],
    [/^manifest\.jsonl is damaged\./, (each) => edit(each, (text) => text.slice(0, -20))],
    [/^manifest\.jsonl is damaged\./, (each) => edit(each, (text) => text.replace('"secret"', '"files/../../secret"'))],
    [
      /^This data was written by a newer Parley \(schema 99,/,
      (each) => edit(each, (text) => text.replace(/"schema":\d+/, '"schema":99')),
    ],
    [
      /^This backup was made by a newer Parley\./,
      (each) => edit(each, (text) => text.replace('"parley_backup":1', '"parley_backup":2')),
    ],
  ];
  for (const [sentence, damage] of damages) {
    const damaged = copyOf(made);
    damage(damaged);
    const target = join(scratchDirectory(), 'restored');
    const {code, out, err} = await operate('serve restore', [damaged, '--data', target]);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(err).toMatch(/ Nothing was restored\.\n$/);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  }
});

test('serve backup and restore: directories with other data are refused, and a schema of another version is explained', async () => {
  const data = await demoDirectory();
  const busy = scratchDirectory();
  writeFileSync(join(busy, 'mine.txt'), '');
  expect(await operate('serve backup', [busy, '--data', data])).toMatchObject({
    code: 1,
    err: expect.stringContaining('has other files than backups'),
  });
  const out = join(scratchDirectory(), 'backups');
  const {backup} = await backUp(data, out);
  expect(await operate('serve restore', [backup, '--data', busy])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not empty'),
  });
  expect((await operate('serve restore', [backup])).code).toBe(2);
  expect((await operate('serve backup', [out])).code).toBe(2);

  changeRows(data, 'DROP TABLE message_html; PRAGMA user_version = 2');
  await backUp(data, out);
  const empty = join(scratchDirectory(), 'empty');
  mkdirSync(empty);
  const older = await operate('serve restore', [out, '--data', empty]);
  expect([older.code, older.out]).toEqual([0, expect.stringContaining('Its schema is 2; the server changes it to')]);
  expect(existsSync(join(empty, 'parley.db'))).toBe(true);
});

test('serve backup: what a killed run left is removed by the next one, and that of a running one is kept', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  mkdirSync(join(out, `20260101T000000.000Z.${2 ** 22 + 1}.partial`), {recursive: true});
  mkdirSync(join(out, `20260101T000000.000Z.${process.ppid}.partial`));
  const {code, out: text, err} = await operate('serve backup', [out, '--data', data, '--json']);
  expect([code, err.trim().split('\n').sort()]).toEqual([
    0,
    [
      expect.stringMatching(/^Process \d+ is writing /),
      expect.stringMatching(/^Removed .*, which an interrupted run left\.$/),
    ],
  ]);
  const {backup} = JSON.parse(text);
  expect(readdirSync(out).map((name) => join(out, name))).toEqual([
    join(out, `20260101T000000.000Z.${process.ppid}.partial`),
    backup,
  ]);
});
