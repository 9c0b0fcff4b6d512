import {expect, test} from 'vitest';
import type {Conversation} from '#state/model/conversation.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {KilledError, KillSwitch} from './kill-switch.ts';
import {TestClient} from './test-client.ts';

interface Fixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly path: string;
  readonly talk: Conversation;
}

/** Runs a client until it is killed; returns the texts for which `send` returned. */
async function runUntilKilled(fixture: Fixture, killSwitch: KillSwitch): Promise<string[]> {
  const safe: string[] = [];
  try {
    const client = new TestClient(fixture.server, fixture.meg, {
      path: fixture.path,
      isDead: true,
      wrap: killSwitch.wrap,
    });
    for (const content of ['one', 'two', 'two']) {
      client.outbox.send({conversation: fixture.talk, content});
      safe.push(content);
    }
    await Promise.race([client.register().then(() => client.finishOutbox()), killSwitch.death]);
    client.kill();
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
  return safe;
}

async function serverTexts({server, meg}: Fixture): Promise<string[]> {
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
  let steps = 0;
  for (let isAlive = false; !isAlive; steps++) {
    const meg = server.people.member(`Meg ${steps}`);
    const channelId = server.people.channel(`channel ${steps}`, [meg]);
    const fixture: Fixture = {
      server,
      meg,
      path: `${directory}/${steps}.db`,
      talk: {kind: 'topic', channelId, topic: 't'},
    };
    const killSwitch = new KillSwitch(steps);
    const safe = await runUntilKilled(fixture, killSwitch);
    isAlive = !killSwitch.isDead;

    const nextClient = await new TestClient(server, meg, {path: fixture.path}).register();
    await nextClient.finishOutbox();
    await nextClient.pollEvents();
    const arrived = await serverTexts(fixture);
    const remaining = nextClient.store.outbox.all();
    const description = `after ${steps} moments: ${JSON.stringify({safe, arrived, left: remaining})}`;
    expect(
      remaining.every(({status}) => status === 'unconfirmed'),
      description,
    ).toBe(true);
    expect(remaining.length, description).toBeLessThanOrEqual(1);
    const all = [...arrived, ...remaining.map(({content}) => content)];
    // A message on disk whose `send` had not returned may arrive as well.
    expect(all.length - safe.length, description).toBeOneOf([0, 1]);
    expect(all.toSorted(), description).toEqual(['one', 'two', 'two'].slice(0, all.length));
    expect(arrived, description).toEqual(arrived.toSorted());
  }
  expect(steps).toBeGreaterThan(12);
});
