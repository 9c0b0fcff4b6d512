import {expect, test} from 'vitest';
import type {Conversation} from '#state/model/conversation.ts';
import type {KillSwitch} from '#test/state/kill-switch.ts';
import {TestClient} from '#test/state/test-client.ts';
import {killedAtEachStep} from '#test/support/faults.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

interface Fixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly path: string;
  readonly talk: Conversation;
}

/** Sends three messages until the client is killed, and notes the texts for which `send` returned. */
async function sendThree(fixture: Fixture, killSwitch: KillSwitch, note: (text: string) => void): Promise<void> {
  const {server, meg, path} = fixture;
  const client = new TestClient(server, meg, {path, isDead: true, wrap: killSwitch.wrap});
  for (const content of ['one', 'two', 'two']) {
    client.outbox.send({conversation: fixture.talk, content});
    note(content);
  }
  void killSwitch.death.then(() => client.kill());
  await client.register().then(() => client.finishOutbox());
  client.kill();
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
  const newFixture = (): Fixture => {
    const name = String(++count);
    const meg = server.people.member(`Meg ${name}`);
    const channelId = server.people.channel(`channel ${name}`, [meg]);
    return {server, meg, path: `${directory}/${name}.db`, talk: {kind: 'topic', channelId, topic: 't'}};
  };
  let count = 0;
  let fixture = newFixture();
  const steps = await killedAtEachStep<string>(
    (killSwitch, note) => {
      fixture = newFixture();
      return sendThree(fixture, killSwitch, note);
    },
    async (safe, step) => {
      const next = await new TestClient(server, fixture.meg, {path: fixture.path}).register();
      await next.finishOutbox();
      await next.pollEvents();
      const arrived = await serverTexts(fixture);
      const left = next.store.outbox.all();
      const description = `after ${step} steps: ${JSON.stringify({safe, arrived, left})}`;
      expect(
        left.every(({status}) => status === 'unconfirmed'),
        description,
      ).toBe(true);
      expect(left.length, description).toBeLessThanOrEqual(1);
      const all = [...arrived, ...left.map(({content}) => content)];
      // A message on disk whose `send` had not returned may arrive as well.
      expect(all.length - safe.length, description).toBeOneOf([0, 1]);
      expect(all.toSorted(), description).toEqual(['one', 'two', 'two'].slice(0, all.length));
      expect(arrived, description).toEqual(arrived.toSorted());
    },
  );
  expect(steps).toBeGreaterThan(12);
});
