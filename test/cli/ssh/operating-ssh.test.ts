import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {operate, servedDirectory} from '#test/cli/serve/operator-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import {openScreen, sshFixtureOn, whenClosed} from './ssh-fixture.ts';

/** SSH on a data directory, for the verbs of the operator. */
async function servedOverSsh() {
  const {server, directory} = await servedDirectory({rateLimited: false});
  const fixture = await sshFixtureOn(server, directory);
  const run = (verb: Parameters<typeof operate>[0], ...argv: string[]) => operate(verb, [...argv, '--data', directory]);
  return {...fixture, run, status: async () => JSON.parse((await run('serve status', '--json')).out).ssh};
}

/** Returns the texts of the drafts in the folder of a person. */
function savedDrafts(folder: string): string {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.db'));
  return files.map((file) => draftTexts(join(folder, file))).join();
}

function draftTexts(file: string): string {
  const db = new DatabaseSync(file, {readOnly: true});
  try {
    return JSON.stringify(db.prepare('SELECT * FROM draft').all());
  } finally {
    db.close();
  }
}

slowTest(
  'serve status: SSH has its address, the host key, people and sessions, and is missed when its process ends',
  async () => {
    const {ssh, server, megKey, connect, run, status} = await servedOverSsh();
    const facts = {running: true, host: '127.0.0.1', port: ssh.port, host_key: ssh.fingerprint};
    expect(await status()).toEqual({...facts, people: 0, sessions: 0});
    const client = await connect(megKey);
    const screens = [await openScreen(client), await openScreen(client)];
    for (const {terminal} of screens) await terminal.waitFor('Inbox');
    expect(await status()).toEqual({...facts, people: 1, sessions: 2});
    const {code, out} = await run('serve status');
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(`^ssh +127\\.0\\.0\\.1:${ssh.port}, host key SHA256:\\S+, 1 person in 2 sessions$`, 'm'),
    );
    process.kill(ssh.pid ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => ssh.pid).toBeUndefined();
    expect(await status()).toMatchObject({running: false, people: 0, sessions: 0});
    expect((await run('serve status')).out).toContain('Warning: The SSH process has ended');
    await expect.poll(() => ssh.pid).toBeDefined();
    expect(await status()).toMatchObject(facts);
    ssh.stop();
    expect(server.context.ssh).toBeUndefined();
    expect((await run('serve status')).out).toMatch(/^ssh +not served$/m);
  },
);

test('serve backup: what somebody is writing over SSH is taken along, and is there again after a restore', async () => {
  const {server, meg, megKey, connect, directory, run} = await servedOverSsh();
  const {terminal} = await openScreen(await connect(megKey), "'#harbour>tides'");
  await terminal.waitFor('The spring tide is at four');
  terminal.keys('r');
  await terminal.waitFor('Write here');
  terminal.type('And a lantern');
  await terminal.waitFor('And a lantern');
  // Each key is saved after a moment.
  const own = join('ssh/people', String(meg.id));
  const draftsIn = (folder: string) => savedDrafts(join(folder, own));
  await expect.poll(() => draftsIn(directory)).toContain('And a lantern');
  mkdirSync(join(directory, own, '.cache'), {recursive: true});
  writeFileSync(join(directory, own, '.cache/image.png'), 'can be fetched again');
  symlinkSync(join(directory, 'secret'), join(directory, own, 'link'));
  writeFileSync(join(directory, own, 'back\\slash'), 'would make the list of the backup invalid');
  const backups = join(scratchDirectory(), 'backups');
  expect(await run('serve backup', backups, '--verify')).toMatchObject({code: 0, err: ''});
  const restored = join(scratchDirectory(), 'restored');
  expect(await operate('serve restore', [backups, '--data', restored])).toMatchObject({code: 0, err: ''});
  const files = readdirSync(join(restored, own), {recursive: true, withFileTypes: true});
  for (const file of files) {
    const {mode} = statSync(join(file.parentPath, file.name));
    expect([file.name, mode & 0o777]).toEqual([file.name, file.isDirectory() ? 0o700 : 0o600]);
  }
  expect(files.map(({name}) => name).filter((name) => /image|link|back|-wal|-shm/.test(name))).toEqual([]);
  expect(draftsIn(restored)).toContain('And a lantern');
  expect((await run('serve check')).out).toMatch(/ is whole\./);
  const database = files.find(({name}) => name.endsWith('.db'));
  const path = join(database?.parentPath ?? '', database?.name ?? '');
  writeFileSync(path, readFileSync(path).fill(0xa5, 4096, 12_000));
  const checked = await operate('serve check', ['--data', restored]);
  expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(`${own}/.local/share/parley/accounts/`)]);
  // A damaged file of one person is no reason to have no backup.
  expect(await operate('serve backup', [join(scratchDirectory(), 'more'), '--data', restored])).toMatchObject({
    code: 0,
  });
  expect(server.context.connectionKeys.size).toBe(1);
});

slowTest(
  'serve user delete: ends the sessions of the person and removes their folder, and exports have what was in it',
  async () => {
    const {meg, otto, megKey, ottoKey, connect, directory, run} = await servedOverSsh();
    const [client, other] = [await connect(megKey), await connect(ottoKey)];
    const screens = [await openScreen(client, "'#harbour>tides'"), await openScreen(other, "'#harbour>tides'")];
    for (const {terminal} of screens) await terminal.waitFor('The spring tide is at four');
    screens[0]?.terminal.keys('r');
    await screens[0]?.terminal.waitFor('Write here');
    screens[0]?.terminal.type('Mine alone');
    await screens[0]?.terminal.waitFor('Mine alone');
    const folderOf = (id: number) => join(directory, 'ssh/people', String(id));
    await expect.poll(() => savedDrafts(folderOf(meg.id))).toContain('Mine alone');
    const out = join(scratchDirectory(), 'meg');
    expect((await run('serve user', 'export', meg.email, out)).code).toBe(0);
    expect(savedDrafts(join(out, 'ssh'))).toContain('Mine alone');
    const closed = whenClosed(client);
    expect(await run('serve user', 'delete', meg.email, '--yes')).toMatchObject({code: 0});
    await closed;
    expect([existsSync(folderOf(meg.id)), existsSync(folderOf(otto.id))]).toEqual([false, true]);
    screens[1]?.terminal.keys('r');
    await screens[1]?.terminal.waitFor('Write here');
    await expect(connect(megKey)).rejects.toThrow('authentication');
  },
);

slowTest('serve user delete: a folder that was left is removed when SSH is served again', async () => {
  const {server, directory} = await servedDirectory({rateLimited: false});
  const [gone, left] = [server.people.member('Gone'), server.people.member('Left')];
  const folderOf = (id: number) => join(directory, 'ssh/people', String(id));
  for (const {id} of [gone, left]) mkdirSync(folderOf(id), {recursive: true, mode: 0o700});
  expect(await operate('serve user', ['delete', gone.email, '--yes', '--data', directory])).toMatchObject({code: 0});
  expect(existsSync(folderOf(gone.id))).toBe(false);
  mkdirSync(folderOf(gone.id));
  await sshFixtureOn(server, directory);
  expect([existsSync(folderOf(gone.id)), existsSync(folderOf(left.id))]).toEqual([false, true]);
});
