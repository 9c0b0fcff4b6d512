import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {namedOrganization} from '#test/support/serve-process.ts';
import {slowTest} from '#test/support/tier.ts';

interface Ready {
  readonly url: string;
  readonly feature_level: number;
  readonly accounts: readonly {
    email: string;
    api_key: string;
    user_id: number;
    full_name: string;
    zuliprc: string;
  }[];
}

interface Served {
  readonly process: ChildProcess;
  readonly ready: Ready;
  readonly client: ApiClient;
}

async function serve(directory: string, ...flags: string[]): Promise<Served> {
  const readyFile = join(directory, 'ready.json');
  rmSync(readyFile, {force: true});
  const child = spawn(
    process.execPath,
    [
      'src/parley.js',
      'serve',
      '--world',
      'empty',
      '--data',
      join(directory, 'data'),
      '--ready-file',
      readyFile,
      ...(existsSync(join(directory, 'data')) ? [] : namedOrganization),
      ...flags,
    ],
    {stdio: ['ignore', 'pipe', 'inherit']},
  );
  onTestFinished(() => killProcess(child));
  await once(child.stdout, 'data');
  const ready: Ready = JSON.parse(readFileSync(readyFile, 'utf8'));
  const [account] = ready.accounts;
  const person = {
    id: account?.user_id ?? 0,
    email: account?.email ?? '',
    fullName: account?.full_name ?? '',
    apiKey: account?.api_key ?? '',
  };
  return {process: child, ready, client: new ApiClient(ready.url, person)};
}

test('durability: every acknowledged message exists exactly once after kill -9 during concurrent sends', async () => {
  const directory = scratchDirectory();
  const first = await serve(directory, '--rate-limit', 'off');
  const reader = {email: 'reader@example.com', password: 'a long enough password', full_name: 'Rita Reader'};
  await first.client.post('/users', reader);
  const acknowledged = new Map<number, string>();
  const sender = async (name: string) => {
    for (let serial = 0; ; serial++) {
      const content = `${name} ${serial}`;
      const reply = await first.client.post('/messages', {
        type: 'stream',
        to: 'general',
        topic: 'durability',
        content,
      });
      acknowledged.set(reply.id, content);
      if (acknowledged.size === 400) first.process.kill('SIGKILL');
    }
  };
  const senders = Array.from({length: 8}, (_, index) => sender(`sender ${index}`));
  await Promise.allSettled(senders);
  expect(acknowledged.size).toBeGreaterThanOrEqual(400);

  const second = await serve(directory, '--rate-limit', 'off');
  const {messages} = await second.client.get('/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    narrow: [{operator: 'topic', operand: 'durability'}],
    apply_markdown: false,
  });
  const stored = new Map(messages.map((message: {id: number; content: string}) => [message.id, message.content]));
  for (const [id, content] of acknowledged) expect(stored.get(id)).toBe(content);
  const contents = messages.map((message: {content: string}) => message.content);
  expect(new Set(contents).size).toBe(contents.length);

  // Flags and the search index of the messages were written too when the process died.
  const credentials = {username: reader.email, password: reader.password};
  const {api_key, email, user_id} = await second.client.post('/fetch_api_key', credentials);
  const rita = new ApiClient(second.ready.url, {
    id: user_id,
    email,
    fullName: reader.full_name,
    apiKey: api_key,
  });
  const {unread_msgs} = await rita.post('/register');
  const talk = unread_msgs.streams.find(({topic}: {topic: string}) => topic === 'durability');
  expect(talk.unread_message_ids).toEqual(messages.map((message: {id: number}) => message.id));
  const [last] = [...acknowledged.values()].slice(-1);
  const found = await rita.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{operator: 'search', operand: `"${last}"`}],
  });
  expect(found.messages.map((message: {content: string}) => message.content)).toContain(last);
});

slowTest(
  'durability: the ready file names each account with a private zuliprc, and its key works across restarts',
  async () => {
    const directory = scratchDirectory();
    const first = await serve(directory);
    const [account] = first.ready.accounts;
    expect(first.ready.feature_level).toBe(509);
    expect(statSync(account?.zuliprc ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    expect(readFileSync(account?.zuliprc ?? '', 'utf8')).toBe(
      `[api]\nemail=${account?.email}\nkey=${account?.api_key}\nsite=${first.ready.url}\n`,
    );
    first.process.kill('SIGTERM');
    await once(first.process, 'exit');
    const second = await serve(directory);
    expect(second.ready.accounts[0]?.api_key).toBe(account?.api_key);
    expect(await second.client.get('/users/me')).toMatchObject({email: account?.email});
  },
);

test('passwords: “serve” hashes them at the full cost, unlike the servers of tests', async () => {
  const directory = scratchDirectory();
  const {client, process: server} = await serve(directory);
  const {user_id: id} = await client.post('/users', {
    email: 'reader@example.com',
    password: 'a long enough password',
    full_name: 'Rita Reader',
  });
  server.kill('SIGTERM');
  await once(server, 'exit');
  const db = new DatabaseSync(join(directory, 'data/parley.db'), {readOnly: true});
  onTestFinished(() => db.close());
  const user = db.prepare('SELECT password_hash AS hash FROM user WHERE id = ?').get(id);
  expect(user?.hash).toMatch(/^scrypt\$[^$]+\$[^$]+\$16384$/);
});

test('durability: SIGTERM ends the server cleanly even while clients wait', async () => {
  const served = await serve(scratchDirectory());
  const queue = await served.client.listen();
  const waiting = queue.next().catch(() => 'cut off');
  served.process.kill('SIGTERM');
  const [code] = await once(served.process, 'exit');
  expect(code).toBe(0);
  await waiting;
});

slowTest('durability: a second server on the same data is refused with one sentence', async () => {
  const directory = scratchDirectory();
  await serve(directory);
  const second = spawn(process.execPath, [
    'src/parley.js',
    'serve',
    '--world',
    'empty',
    '--data',
    join(directory, 'data'),
  ]);
  let words = '';
  second.stderr.on('data', (chunk) => (words += chunk));
  // Waits for “close” instead of “exit”: output may be read after the exit.
  const [code] = await once(second, 'close');
  expect(code).toBe(1);
  expect(words).toMatch(/^Another Parley is serving /);
});
