import {execFileSync, spawn} from 'node:child_process';
import {existsSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, vi} from 'vitest';
import {operate, serverOf} from '#test/cli/serve/operator-fixture.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce, ServeProcess} from '#test/support/serve-process.ts';
import {slowTest} from '#test/support/tier.ts';
import {currentLevel} from '#wire/levels.ts';

const patience = {timeout: 30_000};

/**
 * Runs a verb that copies the secret of `directory` and kills it there: a pipe in its place makes the copy wait. Resolves
 * after `started` holds and the process is gone.
 */
async function killAtSecret(directory: string, argv: readonly string[], started: () => boolean): Promise<void> {
  const [secret, aside] = [join(directory, 'secret'), join(directory, 'secret.aside')];
  renameSync(secret, aside);
  execFileSync('mkfifo', [secret]);
  const env = {...process.env, ...compiledOnce};
  const child = spawn(process.execPath, ['src/parley.js', 'serve', ...argv], {stdio: 'inherit', env});
  onTestFinished(() => killProcess(child));
  await vi.waitUntil(started, patience);
  await killProcess(child);
  rmSync(secret);
  renameSync(aside, secret);
}

slowTest(
  'backup: it has every message acknowledged before it, while clients send; kill -9 of backup and restore leaves nothing half',
  async () => {
    const directory = scratchDirectory();
    const [data, out, restored] = [join(directory, 'data'), join(directory, 'backups'), join(directory, 'restored')];
    const server = await ServeProcess.start({directory, level: currentLevel, rateLimited: false});
    onTestFinished(() => server.kill());
    const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.partial'));

    const isCopied = (folder: string) => () =>
      existsSync(folder) && unfinished(folder).some((name) => existsSync(join(folder, name, 'parley.db')));
    await killAtSecret(data, ['backup', out, '--data', data], isCopied(out));
    expect(readdirSync(out)).toEqual(unfinished(out));
    await vi.waitUntil(() => !readdirSync(data).some((name) => name.startsWith('copy-')), patience);

    const client = server.as(server.owner);
    const acknowledged = new Map<number, string>();
    const stopping = new AbortController();
    const send = async (name: string) => {
      for (let serial = 0; !stopping.signal.aborted; serial++) {
        const content = `${name} ${serial}`;
        const {id} = await client.post('/messages', {type: 'stream', to: 'general', topic: 'backup', content});
        acknowledged.set(id, content);
      }
    };
    const senders = ['a', 'b', 'c', 'd', 'e'].map(send);
    await vi.waitUntil(() => acknowledged.size >= 20, patience);
    const before = new Map(acknowledged);
    const made = await operate('serve backup', [out, '--data', data, '--json']);
    stopping.abort();
    await Promise.all(senders);
    expect([made.code, made.err, unfinished(out)]).toEqual([0, expect.stringMatching(/^Removed .*\n$/), []]);
    expect(acknowledged.size).toBeGreaterThan(before.size);
    const {backup}: {backup: string} = JSON.parse(made.out);

    await killAtSecret(backup, ['restore', out, '--data', restored], isCopied(directory));
    expect(existsSync(restored)).toBe(false);
    expect(await operate('serve restore', [out, '--data', restored])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Removed .*\n$/),
    });
    expect(unfinished(directory)).toEqual([]);
    expect(await operate('serve check', ['--data', restored])).toMatchObject({code: 0});

    // Without a server the verb opens the database itself, and ends.
    const list = ['src/parley.js', 'serve', 'user', 'list', '--data', restored];
    expect(execFileSync(process.execPath, list, {encoding: 'utf8', env: {...process.env, ...compiledOnce}})).toContain(
      server.owner.email,
    );

    const again = await serverOf(restored);
    const {messages} = await again.as(server.owner).get('/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      narrow: [{operator: 'topic', operand: 'backup'}],
      apply_markdown: false,
    });
    const stored = new Map(messages.map(({id, content}: {id: number; content: string}) => [id, content]));
    for (const [id, content] of before) expect(stored.get(id)).toBe(content);
  },
);
