import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {changeRows} from '#test/cli/serve/operator-fixture.ts';
import {mailServer} from '#test/server/mail/mail-server.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce, steadyPort} from '#test/support/serve-process.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {isSlowTier} from '#test/support/tier.ts';

const env = {...process.env, ...compiledOnce};
const password = 'a long enough password';

/** Runs the program as an operator types it. `PARLEY_TRANSCRIPT=FILE` keeps what was typed and printed. */
function shell(data: string) {
  const transcript: string[] = [];
  onTestFinished(() => {
    const file = process.env.PARLEY_TRANSCRIPT;
    if (file !== undefined) writeFileSync(file, transcript.join('\n'));
  });
  const say = (text: string) => void transcript.push('', `# ${text}`);
  const run = (...argv: string[]) =>
    new Promise<{code: number; out: string; err: string}>((resolve) => {
      const args = [...argv, ...(argv[0] === 'serve' ? ['--data', data] : [])];
      execFile(process.execPath, ['src/parley.js', ...args], {env}, (error, out, err) => {
        const code = error === null ? 0 : Number(error.code);
        transcript.push(
          `$ parley ${args.join(' ')}`,
          `${out}${err}`.trimEnd(),
          ...(code === 0 ? [] : [`[exit code ${code}]`]),
        );
        resolve({code, out, err});
      });
    });
  return {run, say, note: (text: string) => void transcript.push(text)};
}

/** Starts `parley serve` on the directory, and returns how to stop it; its log is in `log`. */
async function serving(data: string, log: string, options: readonly string[], note: (text: string) => void) {
  const argv = ['serve', '--data', data, '--log-file', log, '--log-format', 'json', ...options];
  note(`$ parley ${argv.join(' ')}`);
  const child = spawn(process.execPath, ['src/parley.js', ...argv], {env, stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(() => killProcess(child));
  const [first] = await once(child.stdout, 'data');
  note(String(first).trimEnd());
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}

test.runIf(isSlowTier && canMount)(
  'the operator’s day: set-up, people, a failing mail server, a full disk, a lost owner, a privacy request, restore and upgrade',
  async () => {
    const {path: disk, fill} = smallDisk();
    const data = join(disk, 'chat');
    const scratch = scratchDirectory();
    const [log, backups] = [join(scratch, 'server.log'), join(scratch, 'backups')];
    mkdirSync(backups);
    const [port, mailPort, metricsPort] = [await steadyPort(), await steadyPort(), await steadyPort()];
    const url = `http://127.0.0.1:${port}`;
    const {run, say, note} = shell(data);
    const mail = ['--smtp', `smtp://127.0.0.1:${mailPort}`, '--mail-from', 'chat@example.com'];
    const always = ['--port', String(port), ...mail, '--metrics', String(metricsPort)];
    const codes = async () => {
      const response = await fetch(`${url}/health`);
      const text = await response.text();
      note(`$ curl -s ${url}/health\n${response.status} ${text.trimEnd()}`);
      return JSON.parse(text).reasons.map(({code}: {code: string}) => code);
    };

    say('Set-up. The mail server does not answer yet.');
    const owner = ['--org-name', 'Harbor', '--owner-name', 'Olive', '--owner-email', 'olive@example.com'];
    let stop = await serving(data, log, [...always, '--create', ...owner], note);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('The mail server of --smtp cannot be used');
    expect(await codes()).toEqual(['space', 'mail']);
    expect((await run('serve', 'status')).code).toBe(1);

    say('Forty people: a table, tried first. Then one more by invitation, which has to wait for the mail server.');
    const people = Array.from({length: 40}, (_, at) => `Person ${at},person${at}@example.com`);
    const table = join(scratch, 'people.csv');
    writeFileSync(table, ['name,email', ...people].join('\n'));
    expect((await run('serve', 'user', 'import', table, '--dry-run', '--json')).code).toBe(0);
    expect((await run('serve', 'user', 'import', table, '--json')).code).toBe(0);
    const late = join(scratch, 'late.csv');
    writeFileSync(late, 'name,email\nLate,late@example.com\n');
    expect((await run('serve', 'user', 'import', late, '--invite')).code).toBe(0);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('late@example.com could not be sent');
    expect((await run('serve', 'mail', 'queue')).out).toContain('ECONNREFUSED');
    const {received, mails} = await mailServer({port: mailPort});
    expect((await run('serve', 'mail', 'test', 'operator@example.com')).code).toBe(0);
    expect((await run('serve', 'mail', 'retry')).code).toBe(0);
    await received(2);
    expect(mails.flatMap(({to}) => to)).toEqual(expect.arrayContaining(['late@example.com']));
    expect(await codes()).toEqual(['space']);

    say('Backups, and a watch over them.');
    await run('serve', 'org', 'set', 'backup_max_age_hours', '26');
    expect(await codes()).toEqual(['space', 'backup']);
    expect((await run('serve', 'backup', backups, '--keep', '7', '--verify')).code).toBe(0);
    expect(await codes()).toEqual(['space']);
    expect((await run('serve', 'restore', backups)).err).toMatch(/^A server uses .* stop the server/);

    say('The disk is full.');
    fill();
    expect((await run('serve', 'user', 'create', 'more@example.com', '--name', 'More')).code).toBe(1);
    await expect.poll(codes, {timeout: 30_000, interval: 1000}).toContain('database');
    rmSync(join(disk, 'filler'));
    await expect.poll(codes, {timeout: 30_000, interval: 1000}).toEqual(['space']);

    say('The only owner lost the password and left: another one takes over.');
    await run('serve', 'user', 'role', 'person0@example.com', 'owner');
    const {url: link} = JSON.parse((await run('serve', 'user', 'link', 'person0@example.com', '--json')).out);
    expect((await fetch(link, {method: 'POST', body: new URLSearchParams({password})})).status).toBe(200);
    const login = async () => {
      const {api_key: apiKey, user_id: id} = await new ApiClient(url, undefined).post('/fetch_api_key', {
        username: 'person0@example.com',
        password,
      });
      return new ApiClient(url, {id, apiKey, email: 'person0@example.com', fullName: 'Person 0'});
    };
    expect(await (await login()).get('/users/me')).toMatchObject({is_owner: true});
    await run('serve', 'user', 'sign-out', 'olive@example.com');
    expect((await run('serve', 'user', 'deactivate', 'olive@example.com')).code).toBe(0);

    say('A privacy request.');
    const out = join(scratch, 'person1');
    expect((await run('serve', 'user', 'export', 'person1@example.com', out)).code).toBe(0);
    expect(existsSync(join(out, 'profile.json'))).toBe(true);
    expect((await run('serve', 'user', 'delete', 'person1@example.com', '--erase-messages', '--yes')).code).toBe(0);
    expect((await run('serve', 'log', '--since', '1h')).out).toMatch(/operator\.deleteUser/);

    say('What the server says about itself.');
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^parley_mails_sent_total [1-9]/m);
    note(`$ curl -s http://127.0.0.1:${metricsPort}/metrics | grep -v '#' | head -14`);
    note(
      metrics
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .slice(0, 14)
        .join('\n'),
    );
    await run('serve', 'status');
    expect((await run('serve', 'check')).code).toBe(0);

    say('An upgrade of data that an older Parley wrote.');
    await stop();
    changeRows(
      data,
      `DROP TABLE mail_queue; DROP TABLE unused_upload; DROP TABLE ssh_key; ALTER TABLE administration_log DROP COLUMN changes; PRAGMA user_version = 12`,
    );
    stop = await serving(data, log, always, note);
    const kept = readdirSync(data).filter((name) => name.includes('.before-v'));
    expect(kept).toHaveLength(1);
    note(`$ ls ${data}\n${readdirSync(data).join('  ')}`);
    await (await login()).get('/users/me');
    await stop();

    say('The log of the day.');
    const lines = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({event}) => event).filter((event) => event === 'start' || event === 'end')).toEqual([
      ...['start', 'end', 'start', 'end'],
    ]);
    note(
      lines
        .map(({time, error, ...line}) => JSON.stringify({...line, ...(error && {error: String(error).slice(0, 80)})}))
        .join('\n'),
    );
  },
  240_000,
);
