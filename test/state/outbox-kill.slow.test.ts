import {expect, test} from 'vitest';
import type {Conversation} from '#state/model/conversation.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {KilledError, KillSwitch} from './kill-switch.ts';
import {TestClient} from './test-client.ts';

interface World {
  readonly server: TestServer;
  readonly meg: Person;
  readonly path: string;
  readonly talk: Conversation;
}

/** Runs until nothing can be done, whatever the waits. */
async function patiently(client: TestClient): Promise<void> {
  const isIdle = client.outbox.idle().then(() => true);
  for (;;) {
    const isDone = await Promise.race([isIdle, client.clock.waitedFor(250, 10_000).then(() => false)]);
    if (isDone) return;
    client.clock.advance(10_000);
  }
}

/** Runs a client until it is killed; returns the texts for which `send` returned. */
async function life(world: World, mortality: KillSwitch): Promise<string[]> {
  const safe: string[] = [];
  try {
    const client = new TestClient(world.server, world.meg, {
      path: world.path,
      isDead: true,
      wrap: mortality.wrap,
    });
    for (const content of ['one', 'two', 'two']) {
      client.outbox.send({conversation: world.talk, content});
      safe.push(content);
    }
    await Promise.race([client.register().then(() => patiently(client)), mortality.death]);
    client.die();
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
  return safe;
}

async function textsOn({server, meg}: World): Promise<string[]> {
  const {messages} = await server.as(meg).get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
  });
  return messages.map(({content}: {content: string}) => content);
}

test('outbox: killed between any two steps of sending, every message arrives once, in order, or is unconfirmed', async () => {
  const server = await testServer();
  const directory = scratchDirectory();
  let lives = 0;
  for (let isAlive = false; !isAlive; lives++) {
    const meg = server.people.member(`Meg ${lives}`);
    const channelId = server.people.channel(`channel ${lives}`, [meg]);
    const world: World = {
      server,
      meg,
      path: `${directory}/${lives}.db`,
      talk: {kind: 'topic', channelId, topic: 't'},
    };
    const mortality = new KillSwitch(lives);
    const safe = await life(world, mortality);
    isAlive = !mortality.isDead;

    const heir = await new TestClient(server, meg, {path: world.path}).register();
    await patiently(heir);
    await heir.pollEvents();
    const arrived = await textsOn(world);
    const left = heir.store.outbox.all();
    const where = `after ${lives} moments: ${JSON.stringify({safe, arrived, left})}`;
    expect(
      left.every(({status}) => status === 'unconfirmed'),
      where,
    ).toBe(true);
    expect(left.length, where).toBeLessThanOrEqual(1);
    const all = [...arrived, ...left.map(({content}) => content)];
    // A message on disk whose `send` had not returned may arrive as well.
    expect(all.length - safe.length, where).toBeOneOf([0, 1]);
    expect(all.toSorted(), where).toEqual(['one', 'two', 'two'].slice(0, all.length));
    expect(arrived, where).toEqual(arrived.toSorted());
  }
  expect(lives).toBeGreaterThan(12);
});
