import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {fewOf} from '#test/support/tier.ts';
import {FaultFixture} from './fault-fixture.ts';
import {expectInvariants} from './invariants.ts';

/** From one level to another: upgrades, and one downgrade. */
const upgrades = [
  [122, 371],
  [509, 122],
] as const;

describe.each(fewOf(upgrades))('a server of level %i', (level, other) => {
  let fixture: FaultFixture;
  beforeAll(async () => {
    fixture = await FaultFixture.open(level);
    for (let n = 0; n < 5; n++) await fixture.postMessage(`Before ${n}`);
  });
  afterAll(() => fixture.close());

  const ways = [
    [`at level ${other}`, other],
    ['at the same level', level],
  ] as const;
  test.each(fewOf(ways))('killed during activity and restarted %s loses and duplicates nothing', async (_how, next) => {
    const {server, otto} = fixture;
    const client = await fixture.watchingClient();
    const [edited, starred] = [await fixture.postMessage('A teapot'), await fixture.postMessage('To be starred')];
    await client.waitForMessages(edited, starred);
    for (let n = 0; n < 4; n++) client.send(fixture.talk, `Sent before the end ${client.nextSerial()}`);
    const draft = client.write(fixture.talk, `Begun before the end ${client.nextSerial()}`);
    // At least one message is delivered, and others are in flight.
    await client.until(({outbox}) => outbox.length < 4);
    await server.as(otto).patch(`/messages/${edited}`, {content: 'Two teapots'});
    await server.kill();

    client.send(fixture.talk, `Sent into the void ${client.nextSerial()}`);
    client.send(fixture.private, `Sent into the void ${client.nextSerial()}`);
    client.write(fixture.talk, `Gone on with ${client.nextSerial()}`, draft);
    client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [starred]});
    client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [edited, starred]});
    await client.offline();
    const last = client.send(fixture.talk, `Sent offline ${client.nextSerial()}`);
    await server.start(next);
    await server.as(otto).post(`/messages/${edited}/reactions`, {emoji_name: 'tada'});
    const after = [
      await fixture.postMessage('After the restart', 'News'),
      await fixture.sendDirect('After the restart'),
    ];

    await client.waitForMessages(...after);
    expect(client.state.server.level).toBe(next);
    expect(client.session.context.api.connection.level).toBe(next);
    await expectInvariants(fixture, client);
    expect(client.store.outbox.all().map(({id}) => id)).not.toContain(last.id);
    client.resendAll();
    await expectInvariants(fixture, client);
    expect(client.state.outbox).toEqual([]);
    expect(client.state.starred.has(starred)).toBe(true);
  });
});
