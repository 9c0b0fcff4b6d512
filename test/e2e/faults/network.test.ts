import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {networkFaults} from '#test/support/faults.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import type {FaultClient} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {FaultyProxy} from './faulty-proxy.ts';
import {expectInvariants} from './invariants.ts';

const hour = 3_600_000;

// The network level is independent of feature levels: requests.test.ts covers older servers.
describe.each([509])('network faults on a server of level %i', (level) => {
  let fixture: FaultFixture;
  let line: FaultyProxy;
  let client: FaultClient;
  beforeAll(async () => {
    fixture = await FaultFixture.open(level);
    for (let n = 0; n < 5; n++) await fixture.postMessage(`Before ${n}`);
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    line = await FaultyProxy.to(fixture.server.port);
    client = await fixture.watchingClient({site: line.url});
    return () => line.close();
  });

  async function expectNothingLost(): Promise<void> {
    await expectInvariants(fixture, client);
    client.resendAll();
    await expectInvariants(fixture, client);
    expect(client.state.outbox).toEqual([]);
  }

  test.each(fewOf(networkFaults))('a network that $what loses and duplicates nothing', async ({fault}) => {
    line[fault]();
    const missed = [await fixture.postMessage('Missed'), await fixture.sendDirect('Missed')];
    for (let n = 0; n < 3; n++) client.send(fixture.talk, `Sent into the network ${client.nextSerial()}`);
    client.write(fixture.talk, `Written without a network ${client.nextSerial()}`);
    client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: missed});
    await client.offline();
    missed.push(await fixture.postMessage('Missed as well'));
    await expect.poll(() => line.strikes).toBeGreaterThan(1);
    line.heal();
    await client.waitForMessages(...missed);
    await expectNothingLost();
  });

  test('connections that are reset repeatedly while messages are sent lose nothing', async () => {
    for (let n = 0; n < 10; n++) {
      client.send(n % 2 === 0 ? fixture.talk : fixture.private, `Sent between resets ${client.nextSerial()}`);
      const id = await fixture.postMessage(`Said between resets ${n}`);
      line.reset();
      await client.waitForMessages(id);
    }
    await expectNothingLost();
  });

  slowTest('after sleep, with an expired queue, held messages wait for the user', async () => {
    line.silence();
    const missed = [await fixture.postMessage('Said in the night')];
    const waiting = client.send(fixture.talk, `Sent in the evening ${client.nextSerial()}`);
    client.clock.jump(8 * hour);
    await fixture.server.hook('expire-queues', {user_id: fixture.meg.id});
    missed.push(await fixture.postMessage('Said in the morning'));
    await client.offline();
    line.heal();
    await client.waitForMessages(...missed);
    await expectInvariants(fixture, client);
    expect(['held', 'unconfirmed']).toContain(client.store.outbox.all().find(({id}) => id === waiting.id)?.status);
    client.session.outbox.sendHeld();
    await expectNothingLost();
  });

  test('a clock that jumps ahead and is set back loses nothing', async () => {
    const queueId = client.session.context.queueId();
    client.clock.jump(hour);
    client.send(fixture.talk, `Sent at another time ${client.nextSerial()}`);
    // An hour, and however long the machine stalled meanwhile.
    await client.waitForLog(/The clock jumped [3-9]\d{3} s ahead/);
    await client.waitForMessages(await fixture.postMessage('What is the time?'));
    client.write(fixture.talk, `Written at another time ${client.nextSerial()}`);
    client.clock.jump(-2 * hour);
    client.send(fixture.talk, `Sent in the past ${client.nextSerial()}`);
    await client.waitForMessages(await fixture.postMessage('And now?'));
    await expectNothingLost();
    expect(client.session.context.queueId()).toBe(queueId);
  });

  test('events that are delivered twice apply once', async () => {
    const {server, meg, otto} = fixture;
    const ids = [await fixture.postMessage('One'), await fixture.sendDirect('Two')];
    await client.waitForMessages(...ids);
    client.send(fixture.talk, `Heard twice ${client.nextSerial()}`);
    await client.until(({outbox}) => outbox.length === 0);
    await server.as(otto).post(`/messages/${ids[0]}/reactions`, {emoji_name: 'tada'});
    const messageId = await fixture.postMessage('Three');
    await client.waitForMessages(messageId);
    await server.hook('redeliver', {user_id: meg.id, count: 5});
    await client.waitForMessages(await fixture.postMessage('Four'));
    await expectNothingLost();
  });

  slowTest('a half-open connection is shown as silent, then as offline, and loses nothing', async () => {
    // Before anything is awaited: the state lasts a second.
    const silent = client.until(
      ({connection}) => connection.phase === 'online' && connection.silentSince !== undefined,
    );
    line.silence();
    const missed = await fixture.postMessage('Missed in silence');
    await silent;
    await client.offline();
    line.heal();
    await client.waitForMessages(missed);
    expect(client.state.connection).toEqual({phase: 'online'});
    await expectNothingLost();
  });

  slowTest('polls without responses are detected', async () => {
    const fault = {method: 'GET', path: '/events', kind: 'delay', delay_ms: 60_000, times: 2};
    await client.waitForMessages(await fixture.postMessage('Answered'));
    await fixture.server.hook('fault', fault);
    await client.waitForMessages(await fixture.postMessage('Answered too'));
    client.send(fixture.talk, `Sent without an answer ${client.nextSerial()}`);
    await client.waitForMessages(await fixture.postMessage('Answered late'));
    // The one before may have come with the page that confirms the sent message; this one needs a poll.
    await client.waitForMessages(await fixture.postMessage('Answered by a poll'));
    expect(await fixture.server.hook('clear-faults')).toMatchObject({left: 0});
    await expectNothingLost();
  });
});
