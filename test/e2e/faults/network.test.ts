import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {FaultClient} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {FaultyProxy} from './faulty-proxy.ts';
import {expectInvariants} from './invariants.ts';

const hour = 3_600_000;

// The network level is independent of feature levels: requests.test.ts covers older servers.
describe.each([509])('network faults on a server of level %i', (level) => {
  let stage: FaultFixture;
  let line: FaultyProxy;
  let client: FaultClient;
  beforeAll(async () => {
    stage = await FaultFixture.open(level);
    for (let n = 0; n < 5; n++) await stage.say(`Before ${n}`);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    line = await FaultyProxy.to(stage.server.port);
    client = await stage.watchingClient({site: line.url});
    return () => line.close();
  });

  async function expectNothingLost(): Promise<void> {
    await expectInvariants(stage, client);
    client.resendAll();
    await expectInvariants(stage, client);
    expect(client.state.outbox).toEqual([]);
  }

  test.each([
    ['cuts everything', (it: FaultyProxy) => it.cut()],
    ['falls silent', (it: FaultyProxy) => it.silence()],
    ['carries no answers', (it: FaultyProxy) => it.deafen()],
    ['drips', (it: FaultyProxy) => it.drip()],
  ])('a network that %s loses and duplicates nothing', async (_what, fail) => {
    fail(line);
    const missed = [await stage.say('Missed'), await stage.tell('Missed')];
    for (let n = 0; n < 3; n++) client.send(stage.talk, `Sent into the network ${client.nextSerial()}`);
    client.write(stage.talk, `Written without a network ${client.nextSerial()}`);
    client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: missed});
    await client.offline();
    missed.push(await stage.say('Missed as well'));
    await expect.poll(() => line.strikes).toBeGreaterThan(1);
    line.heal();
    await client.heard(...missed);
    await expectNothingLost();
  });

  test('connections that are reset repeatedly while messages are sent lose nothing', async () => {
    for (let n = 0; n < 10; n++) {
      client.send(n % 2 === 0 ? stage.talk : stage.private, `Sent between resets ${client.nextSerial()}`);
      const id = await stage.say(`Said between resets ${n}`);
      line.reset();
      await client.heard(id);
    }
    await expectNothingLost();
  });

  test('after sleep, with an expired queue, held messages wait for the user', async () => {
    line.silence();
    const missed = [await stage.say('Said in the night')];
    const waiting = client.send(stage.talk, `Sent in the evening ${client.nextSerial()}`);
    client.clock.jump(8 * hour);
    await stage.server.hook('expire-queues', {user_id: stage.meg.id});
    missed.push(await stage.say('Said in the morning'));
    await client.offline();
    line.heal();
    await client.heard(...missed);
    await expectInvariants(stage, client);
    expect(['held', 'unconfirmed']).toContain(
      client.store.outbox.all().find(({id}) => id === waiting.id)?.status,
    );
    client.session.outbox.sendHeld();
    await expectNothingLost();
  });

  test('a clock that jumps ahead and is set back loses nothing', async () => {
    const queueId = client.session.context.queueId();
    client.clock.jump(hour);
    client.send(stage.talk, `Sent at another time ${client.nextSerial()}`);
    // An hour, and however long the machine stalled meanwhile.
    await client.logs(/The clock jumped [3-9]\d{3} s ahead/);
    await client.heard(await stage.say('What is the time?'));
    client.write(stage.talk, `Written at another time ${client.nextSerial()}`);
    client.clock.jump(-2 * hour);
    client.send(stage.talk, `Sent in the past ${client.nextSerial()}`);
    await client.heard(await stage.say('And now?'));
    await expectNothingLost();
    expect(client.session.context.queueId()).toBe(queueId);
  });

  test('events that are delivered twice apply once', async () => {
    const {server, meg, otto} = stage;
    const ids = [await stage.say('One'), await stage.tell('Two')];
    await client.heard(...ids);
    client.send(stage.talk, `Heard twice ${client.nextSerial()}`);
    await client.until(({outbox}) => outbox.length === 0);
    await server.as(otto).post(`/messages/${ids[0]}/reactions`, {emoji_name: 'tada'});
    const told = await stage.say('Three');
    await client.heard(told);
    await server.hook('redeliver', {user_id: meg.id, count: 5});
    await client.heard(await stage.say('Four'));
    await expectNothingLost();
  });

  test('polls without responses are detected', async () => {
    const fault = {method: 'GET', path: '/events', kind: 'delay', delay_ms: 60_000, times: 2};
    await client.heard(await stage.say('Answered'));
    await stage.server.hook('fault', fault);
    await client.heard(await stage.say('Answered too'));
    client.send(stage.talk, `Sent without an answer ${client.nextSerial()}`);
    await client.heard(await stage.say('Answered late'));
    expect(await stage.server.hook('clear-faults')).toMatchObject({left: 0});
    await expectNothingLost();
  });
});
