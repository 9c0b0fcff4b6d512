import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce} from '#test/support/serve-process.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';
import type {ClientScript} from './client-child.ts';
import type {FaultClient} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {waitUntilIdle} from './invariants.ts';

interface End {
  /** The texts that were reported as saved, in order. */
  readonly safe: readonly string[];
  readonly wasKilled: boolean;
}

async function runScript(script: ClientScript): Promise<End> {
  const child = spawn(process.execPath, ['test/e2e/faults/client-child.ts', JSON.stringify(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {...process.env, ...compiledOnce},
  });
  let text = '';
  child.stdout.on('data', (piece) => (text += piece));
  const [code, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process failed (${code ?? signal})`);
  const safe: string[] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {safe, wasKilled: signal === 'SIGKILL'};
}

/** Returns all places that contain each text. */
async function findTexts({server}: FaultFixture, nextClient: FaultClient) {
  const as = server.as(nextClient.person);
  const {messages} = await as.get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
  });
  const {drafts} = await as.get('/drafts');
  const sent: string[] = messages.map(({content}: Reply) => content);
  const parting = nextClient.store.drafts.all().filter((draft) => nextClient.isDraftOfSentMessage(draft));
  const isParting = ({id}: Reply) => parting.some(({serverId}) => serverId === id);
  const written: string[] = drafts.filter((draft: Reply) => !isParting(draft)).map(({content}: Reply) => content);
  return {sent, written, waiting: nextClient.store.outbox.all().map(({content}) => content)};
}

async function expectNothingLost(
  fixture: FaultFixture,
  nextClient: FaultClient,
  script: ClientScript,
  {safe}: End,
): Promise<void> {
  const {thought, plain, dieAt} = script;
  await waitUntilIdle(fixture, nextClient);
  const {sent, written, waiting} = await findTexts(fixture, nextClient);
  const all = [...sent, ...written, ...waiting].filter((text) => [...thought, ...plain].includes(text));
  const description = JSON.stringify({dieAt, safe, sent: sent.slice(-5), written, waiting});
  // Every saved text exists, none twice; of the draft only the latest version.
  expect(new Set(all).size, description).toBe(all.length);
  for (const text of plain) if (safe.includes(text)) expect(all, description).toContain(text);
  const versions = thought.filter((version) => all.includes(version));
  expect(versions.length, description).toBe(safe.length === 0 ? versions.length : 1);
  if (safe.includes(thought[1])) expect(versions, description).toEqual([thought[1]]);
  // Three reports mean: two draft versions and then the message itself.
  if (safe.length > 2) expect(written, description).not.toContain(thought[1]);
  const inOrder = [thought[1], ...plain].filter((text) => sent.includes(text));
  expect(
    sent.filter((text) => inOrder.includes(text)),
    description,
  ).toEqual(inOrder);

  if (waiting.length === 0) return;
  nextClient.resendAll();
  await waitUntilIdle(fixture, nextClient);
  const after = await findTexts(fixture, nextClient);
  expect(after.waiting, description).toEqual([]);
  expect(
    after.written.filter((text) => after.sent.includes(text)),
    description,
  ).toEqual([]);
  for (const text of waiting)
    expect(
      after.sent.filter((other) => other === text),
      description,
    ).toEqual([text]);
}

/** Removes what it left, so that the next one starts clean. */
async function cleanUp({server, meg}: FaultFixture): Promise<void> {
  const as = server.as(meg);
  const {drafts} = await as.get('/drafts');
  for (const {id} of drafts) await as.delete(`/drafts/${id}`);
}

/**
 * The distance between the steps at which it is killed. Trying every step (1) takes half a minute; within one process,
 * state/outbox/outbox-kill.integration.test.ts tries every step.
 */
const stride = Number(process.env.PARLEY_STRIDE ?? fewOrAll(45, 3));

slowTest(
  'killed at any step of writing and sending, a process leaves everything to the next one, once',
  async () => {
    const one = await FaultFixture.open(509);
    onTestFinished(() => one.close());
    const other = await one.otherPair();
    const directory = scratchDirectory();
    let next = 1 + Math.floor(stride / 2);
    let survivor = Number.POSITIVE_INFINITY;
    /** Runs processes one after the other, each killed one step later; two lanes run in parallel on separate accounts. */
    async function lane(fixture: FaultFixture): Promise<void> {
      while (next <= survivor) {
        const dieAt = next;
        next += stride;
        const own = join(directory, `${dieAt}`);
        mkdirSync(own);
        const script: ClientScript = {
          person: fixture.meg,
          site: fixture.server.url,
          directory: own,
          seed: dieAt,
          dieAt,
          conversation: fixture.talk,
          thought: [`A thought ${dieAt}`, `A second thought ${dieAt}`],
          plain: [`A message ${dieAt}`],
        };
        const end = await runScript(script);
        if (!end.wasKilled) survivor = Math.min(survivor, dieAt);
        const nextClient = await fixture.client({directory: own}).start();
        await expectNothingLost(fixture, nextClient, script, end);
        await nextClient.close();
        await cleanUp(fixture);
      }
    }
    await Promise.all([lane(one), lane(other)]);
    // Fewer steps than this would mean that some are not counted.
    expect(survivor).toBeGreaterThan(25);
  },
  600_000,
);
