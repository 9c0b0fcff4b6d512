import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
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
import {basename, join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {lastBackup} from '#server/operator/backup-fact.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {slowTest} from '#test/support/tier.ts';
import {
  changeRows,
  copyOf,
  damagePages,
  demoDirectory,
  operate,
  servedDirectory,
  serverOf,
} from './operator-fixture.ts';

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
  // Files are shared with the newest.
  expect(await backUp(data, out)).toMatchObject({files: full.files, linkedFiles: full.files - 2});
  expect((await operate('serve restore', [second.backup, '--data', join(scratchDirectory(), 'x')])).code).toBe(0);
});

test('serve backup: the host key of SSH is taken along, where there is one', async () => {
  const data = await demoDirectory();
  mkdirSync(join(data, 'ssh'), {mode: 0o700});
  writeFileSync(join(data, 'ssh/host_key'), 'the key', {mode: 0o600});
  const {backup} = await backUp(data, join(scratchDirectory(), 'backups'));
  const restored = join(scratchDirectory(), 'restored');
  expect((await operate('serve restore', [backup, '--data', restored])).code).toBe(0);
  expect(readFileSync(join(restored, 'ssh/host_key'), 'utf8')).toBe('the key');
  expect(statSync(join(restored, 'ssh/host_key')).mode & 0o777).toBe(0o600);
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

slowTest(
  'serve backup and restore: directories with other data are refused, and a schema of another version is explained',
  async () => {
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
  },
);

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

/** Returns the names in a folder of backups: whole ones, and damaged ones. */
function namesIn(out: string): {whole: string[]; damaged: string[]} {
  const names = readdirSync(out).sort();
  return {
    whole: names.filter((name) => name.endsWith('Z')),
    damaged: names.filter((name) => name.endsWith('Z.damaged')),
  };
}

test('serve backup: a copy of damaged data is put aside, deletes no backup, and is not restored unless it is named', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  const good = [await backUp(data, out), await backUp(data, out)].map(({backup}) => basename(backup));
  const hurts: [sentence: RegExp, hurt: (directory: string) => void][] = [
    [/^The database is damaged: /, damagePages],
    [
      /^The database is damaged: file is not a database\./,
      (each) => writeFileSync(join(each, 'parley.db'), 'x'.repeat(9000)),
    ],
    [
      /^\d+ rows of “reaction” refer to /,
      (each) => changeRows(each, 'UPDATE reaction SET message_id = message_id + 999999'),
    ],
    [
      /^1 file is missing: files/,
      (each) =>
        rmSync(
          join(
            each,
            Object.keys(contents(join(each, 'files')))
              .map((path) => join('files', path))
              .find((path) => path.startsWith('files/1/')) ?? '',
          ),
        ),
    ],
  ];
  for (const [at, [sentence, hurt]] of hurts.entries()) {
    const hurtData = copyOf(data);
    hurt(hurtData);
    const {code, out: text, err} = await operate('serve backup', [out, '--data', hurtData, '--keep', '1']);
    expect([code, text, err]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(err).toMatch(/The data is damaged, and so is the copy in .*Z\.damaged\. No earlier backup was removed\.\n$/);
    expect(namesIn(out)).toEqual({whole: good, damaged: expect.objectContaining({length: at + 1})});
  }
  const damaged = join(out, namesIn(out).damaged.at(-1) ?? '');
  const restored = await operate('serve restore', [out, '--data', join(scratchDirectory(), 'x'), '--json']);
  expect([restored.code, JSON.parse(restored.out).backup, restored.err]).toEqual([
    0,
    join(out, good[1] ?? ''),
    `The newest backup, ${damaged}, was damaged when it was made, and is used only if you name it.\n`,
  ]);
  const named = await operate('serve restore', [damaged, '--data', join(scratchDirectory(), 'x')]);
  expect([named.code, named.err]).toEqual([0, `${damaged} was damaged when it was made.\n`]);
  // A folder in which every backup is damaged is one of backups, too.
  for (const name of good) rmSync(join(out, name), {recursive: true});
  const {backup} = await backUp(data, out, '--keep', '1');
  expect(namesIn(out)).toMatchObject({whole: [basename(backup)], damaged: {length: 4}});
});

test('serve backup: an organization without an owner is not damaged', async () => {
  const data = await demoDirectory();
  changeRows(data, 'UPDATE user SET role = 400');
  await backUp(data, join(scratchDirectory(), 'backups'), '--keep', '1');
});

test('serve backup --verify: with --data the new backup is checked, and serve status knows the last good one', async () => {
  const {directory} = await servedDirectory();
  const out = join(scratchDirectory(), 'backups');
  const status = async () => {
    const {code: exit, out: json} = await operate('serve status', ['--data', directory, '--json']);
    return {exit, ...JSON.parse(json)};
  };
  await operate('serve org', ['set', 'backup_max_age_hours', '26', '--data', directory]);
  expect(await status()).toMatchObject({exit: 1, warnings: [{code: 'backup', text: 'There is no backup.'}]});
  const {code, out: text} = await operate('serve backup', [out, '--data', directory, '--keep', '7', '--verify']);
  expect([code, text]).toEqual([0, expect.stringMatching(/^Backed up to .* It is whole\.\n$/)]);
  const [name = ''] = readdirSync(out);
  expect(await status()).toMatchObject({
    exit: 0,
    last_backup: {path: join(out, name), verified: true},
    warnings: [],
  });
});

test('serve backup --verify: a new backup that is not whole is put aside, and no earlier one is deleted', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  const first = await backUp(data, out);
  // The next one shares this file.
  const [path = ''] = Object.keys(contents(join(first.backup, 'files')));
  const file = join(first.backup, 'files', path);
  writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'));
  const {code, err} = await operate('serve backup', [out, '--data', data, '--keep', '1', '--verify']);
  const sentences =
    / is damaged: it is not the file that was backed up\.\nThe backup is now .*\.damaged\. No earlier backup was removed\.\n$/;
  expect([code, err]).toEqual([1, expect.stringMatching(sentences)]);
  expect(readdirSync(out)).toEqual([basename(first.backup), expect.stringMatching(/\.damaged$/)]);
});

test('serve backup: one of a stopped server is noted without changing the schema of its data', async () => {
  const directory = await demoDirectory();
  changeRows(directory, 'PRAGMA user_version = 11');
  const out = join(scratchDirectory(), 'backups');
  expect(await operate('serve backup', [out, '--data', directory])).toMatchObject({code: 0, err: ''});
  const db = new Database(join(directory, 'parley.db'), {asFound: true});
  expect([db.schema, lastBackup(db)]).toEqual([11, expect.objectContaining({verified: false})]);
  db.close();
});

test('serve restore: the directory of a running service is refused, with what to do', async () => {
  const {directory} = await servedDirectory();
  const out = join(scratchDirectory(), 'backups');
  await operate('serve backup', [out, '--data', directory]);
  expect(await operate('serve restore', [out, '--data', directory])).toEqual({
    code: 1,
    out: '',
    err: `A server uses ${directory}. Restore into a new directory, stop the server, and start it with the new one: --data NEW.\n`,
  });
  expect((await operate('serve check', ['--data', directory])).code).toBe(0);
});

slowTest('serve backup --verify: tells whether a backup is whole, and changes nothing in it', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  const {backup} = await backUp(data, out);
  const before = readdirSync(backup, {recursive: true}).sort();
  for (const path of [out, backup]) {
    expect(await operate('serve backup', ['--verify', path])).toEqual({
      code: 0,
      out: expect.stringMatching(/^The backup .*Z of \d{4}-.* is whole: \d+ files, [\d.]+ MB\.\n$/),
      err: '',
    });
  }
  expect(readdirSync(backup, {recursive: true}).sort()).toEqual(before);
  const damages: [sentence: RegExp, damage: (directory: string) => void][] = [
    [/^parley\.db is damaged: it is not the file that was backed up\.$/m, damagePages],
    [/^secret is missing in the backup\.$/m, (each) => rmSync(join(each, 'secret'))],
    [/is not a backup: it has no manifest\.jsonl\.$/m, (each) => rmSync(join(each, 'manifest.jsonl'))],
  ];
  for (const [sentence, damage] of damages) {
    const damaged = copyOf(backup);
    damage(damaged);
    const {code, out: text} = await operate('serve backup', ['--verify', damaged]);
    expect([code, text]).toEqual([1, expect.stringMatching(sentence)]);
  }
  // The copy of damaged data is as its list says, and is damaged.
  const hurt = copyOf(data);
  damagePages(hurt);
  await operate('serve backup', [out, '--data', hurt]);
  const aside = join(out, namesIn(out).damaged[0] ?? '');
  expect(await operate('serve backup', ['--verify', aside])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^The database is damaged: /),
  });
  expect((await operate('serve backup', ['--verify', '/nowhere'])).code).toBe(1);
});

test('serve backup: without the secret nothing is written, and the sentence says what to do', async () => {
  const data = await demoDirectory();
  rmSync(join(data, 'secret'));
  const out = join(scratchDirectory(), 'backups');
  const {code, err} = await operate('serve backup', [out, '--data', data]);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^The secret of the organization is missing: .* --new-secret.* Nothing was written\.\n$/),
  ]);
  expect(existsSync(out)).toBe(false);
});

test.skipIf(!canMount)(
  'serve backup: a disk that becomes full leaves the earlier backups, and nothing else',
  async () => {
    const data = await demoDirectory();
    const {path, fill} = smallDisk();
    const out = join(path, 'backups');
    const {backup} = await backUp(data, out);
    fill();
    expect(await operate('serve backup', [out, '--data', data, '--keep', '1', '--full'])).toEqual({
      code: 1,
      out: '',
      err: 'The disk is full. Nothing was written.\n',
    });
    expect(readdirSync(out)).toEqual([basename(backup)]);
    expect((await operate('serve backup', ['--verify', backup])).code).toBe(0);
  },
);

slowTest(
  'serve backup: several runs at once each make a whole backup, and together they keep as many as told',
  async () => {
    const data = await demoDirectory();
    const server = await serverOf(data);
    await server.close();
    const out = join(scratchDirectory(), 'backups');
    for (let count = 0; count < 3; count++) await backUp(data, out);
    const args = ['src/parley.js', 'serve', 'backup', out, '--data', data, '--keep', '2'];
    const runs = [0, 1, 2].map(() => promisify(execFile)(process.execPath, args));
    for (const run of runs) expect((await run).stdout).toMatch(/^Backed up to /);
    const {whole} = namesIn(out);
    expect(whole.length).toBeLessThanOrEqual(3);
    expect(whole.length).toBeGreaterThanOrEqual(2);
    for (const name of whole) expect((await operate('serve backup', ['--verify', join(out, name)])).code).toBe(0);
    expect(readdirSync(out)).toEqual(whole);
  },
);

slowTest('serve backup: the copy of a running server is checked, too', async () => {
  const data = await demoDirectory();
  const out = join(scratchDirectory(), 'backups');
  const {backup} = await backUp(data, out);
  changeRows(data, 'UPDATE reaction SET message_id = message_id + 999999');
  const args = ['src/parley.js', 'serve', '--bots', 'off', '--port', '0', '--data', data];
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'ignore']});
  onTestFinished(() => killProcess(child));
  await once(child.stdout, 'data');
  const {code, err} = await operate('serve backup', [out, '--data', data, '--keep', '1']);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^\d+ rows of “reaction” refer to [\s\S]*No earlier backup was removed\.\n$/),
  ]);
  expect(namesIn(out)).toEqual({whole: [basename(backup)], damaged: [expect.any(String)]});
  expect(readdirSync(data).filter((name) => name.startsWith('copy-'))).toEqual([]);
});
