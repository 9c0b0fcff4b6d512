import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Readable, Writable} from 'node:stream';
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce} from '#test/support/serve-process.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';
import type {FaultClient} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {expectInvariants} from './invariants.ts';
import type {QueueingScript} from './queueing-child.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

let fixture: FaultFixture;
beforeAll(async () => {
  fixture = await FaultFixture.open(509);
});
afterAll(() => fixture.close());

/**
 * Slower than in other tests: a process overtakes one that has been sending a message for two minutes, and on a loaded machine a
 * request can take seconds.
 */
const rate = 5;

/** Starts another process on the same file. */
async function startOtherProcess(directory: string, start: number): Promise<Child> {
  const queueing: QueueingScript = {
    person: fixture.meg,
    site: fixture.server.url,
    directory,
    seed: 1000,
    conversation: fixture.talk,
    clock: {start, rate},
  };
  const child = spawn(process.execPath, ['test/e2e/faults/queueing-child.ts', JSON.stringify(queueing)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {...process.env, ...compiledOnce},
  });
  onTestFinished(() => killProcess(child));
  await once(child.stdout, 'data');
  return child;
}

/** Messages of each process. */
const half = fewOrAll(5, 25);

/** Queues messages offline, alternating between the two processes. */
async function queueMessages(client: FaultClient, other: Child, title: string): Promise<string[]> {
  const texts: string[] = [];
  for (let n = 0; n < half; n++) {
    const [ownText, otherText] = [`${title}: ${n} of ours`, `${title}: ${n} of theirs`];
    client.send(fixture.talk, ownText);
    const queued = once(other.stdout, 'data');
    other.stdin.write(`${otherText}\n`);
    await queued;
    texts.push(ownText, otherText);
  }
  expect(client.store.outbox.all().map(({content}) => content)).toEqual(texts);
  return texts;
}

async function arrived(texts: readonly string[]): Promise<string[]> {
  const args = {anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false};
  const {messages} = await fixture.server.as(fixture.meg).get('/messages', args);
  return messages.map(({content}: Reply) => content).filter((content: string) => texts.includes(content));
}

async function offlineTogether(): Promise<{client: FaultClient; other: Child}> {
  const directory = scratchDirectory();
  await fixture.server.kill();
  const client = fixture.client({directory, clock: {rate}});
  client.session.start();
  const other = await startOtherProcess(directory, client.clock.start);
  return {client, other};
}

slowTest('two processes: messages queued offline are sent once each, in order', async () => {
  const {client, other} = await offlineTogether();
  const texts = await queueMessages(client, other, 'Both');
  await fixture.server.start();
  await client.until(({outbox, connection}) => connection.phase === 'online' && outbox.length === 0);
  expect(await arrived(texts)).toEqual(texts);
  await expectInvariants(fixture, client);
});

slowTest('two processes: when one is killed while they send, the other sends the rest', async () => {
  const {client, other} = await offlineTogether();
  const texts = await queueMessages(client, other, 'One');
  await fixture.server.start();
  await client.until(() => client.store.outbox.all().length < 45);
  other.kill('SIGKILL');
  await expectInvariants(fixture, client);
  const inDoubt = client.store.outbox.all();
  expect(inDoubt.length).toBeLessThanOrEqual(1);
  expect(inDoubt.every(({status}) => status === 'unconfirmed')).toBe(true);
  const doubtful = inDoubt.map(({content}) => content);
  expect(await arrived(texts)).toEqual(texts.filter((text) => !doubtful.includes(text)));
  client.resendAll();
  await expectInvariants(fixture, client);
  expect((await arrived(texts)).toSorted()).toEqual(texts.toSorted());
});
