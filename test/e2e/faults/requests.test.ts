import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {requestFaults} from '#test/support/faults.ts';
import {fewOf, isSlowTier, slowTest} from '#test/support/tier.ts';
import {type FaultClient, isAtRest} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {expectInvariants, waitUntilIdle} from './invariants.ts';

type Fault = Readonly<{kind: string; status?: number; retry_after?: number}>;

const kinds: readonly Fault[] = requestFaults;

/** A place for a fault, and an action that meets it. */
interface Target {
  readonly method: string;
  readonly path: string;
  provoke(fixture: FaultFixture, client: FaultClient): Promise<unknown>;
}

const targets: Readonly<Record<string, Target>> = {
  'polling for events': {
    method: 'GET',
    path: '/events',
    async provoke(fixture, client) {
      client.send(fixture.talk, `Sent while polls fail ${client.nextSerial()}`);
      // The poll in flight returns the first message; the next poll meets the fault.
      await client.waitForMessages(await fixture.postMessage('Said while polls fail'));
      await client.waitForMessages(await fixture.postMessage('Said while polls fail'));
    },
  },
  sending: {
    method: 'POST',
    path: '/messages',
    async provoke(fixture, client) {
      client.send(fixture.talk, `Sent in trouble ${client.nextSerial()}`);
      client.send(fixture.private, `Sent in trouble ${client.nextSerial()}`);
      await client.until(({outbox}) => outbox.every(isAtRest));
    },
  },
  registering: {method: 'POST', path: '/register', provoke: loseQueue},
  'fetching the server settings': {method: 'GET', path: '/server_settings', provoke: loseQueue},
  'fetching messages': {method: 'GET', path: '/messages', provoke: loseQueue},
  'saving drafts': {
    method: 'POST',
    path: '/drafts',
    async provoke(fixture, client) {
      for (let n = 0; n < 2; n++) client.write(fixture.talk, `Written in trouble ${client.nextSerial()}`);
      await client.until(({localDrafts}) => localDrafts.every(({status}) => status === 'clean'));
    },
  },
  'changing flags': {
    method: 'POST',
    path: '/messages/flags',
    async provoke(fixture, client) {
      const id = await fixture.postMessage('To be marked');
      await client.waitForMessages(id);
      const done = client.session.pendingChanges.perform({
        kind: 'flags',
        op: 'add',
        flag: 'starred',
        ids: [id],
      });
      client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [id]});
      done?.undo();
      await waitUntilIdle(fixture, client);
    },
  },
};

/** Expires the queue; much happens before the next one exists. */
async function loseQueue(fixture: FaultFixture, client: FaultClient): Promise<void> {
  const {server, meg} = fixture;
  const before = client.session.context.queueId();
  await server.hook('expire-queues', {user_id: meg.id});
  const ids = [await fixture.postMessage('Said without a queue'), await fixture.sendDirect('Told without a queue')];
  client.send(fixture.talk, `Sent without a queue ${client.nextSerial()}`);
  await client.until(() => ![undefined, before].includes(client.session.context.queueId()));
  await client.waitForMessages(...ids);
}

/** Edits, deletes, stars and reads earlier messages, and writes a draft. */
async function makeChanges(fixture: FaultFixture, client: FaultClient): Promise<void> {
  const {server, otto, meg} = fixture;
  const edited = await fixture.postMessage('A teapot');
  const deletedId = await fixture.postMessage('Gone soon');
  const directId = await fixture.sendDirect(`@**${meg.fullName}**`);
  await client.waitForMessages(edited, deletedId, directId);
  await server.as(otto).patch(`/messages/${edited}`, {content: 'Two teapots'});
  await server.as(server.owner).delete(`/messages/${deletedId}`);
  client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [edited]});
  client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [directId]});
  client.write(fixture.talk, `Begun after ${directId}`);
}

async function strike(fixture: FaultFixture, client: FaultClient, target: Target, fault: Fault): Promise<void> {
  const {method, path, provoke} = target;
  await fixture.server.hook('fault', {method, path, ...fault});
  await provoke(fixture, client);
  expect(await fixture.server.hook('clear-faults'), `${fault.kind} ${path}`).toMatchObject({left: 0});
}

async function expectNothingLost(fixture: FaultFixture, client: FaultClient): Promise<void> {
  await makeChanges(fixture, client);
  await expectInvariants(fixture, client);
  client.resendAll();
  await expectInvariants(fixture, client);
  expect(client.state.outbox).toEqual([]);
}

describe.each(fewOf([509, 122]))('request faults on a server of level %i', (level) => {
  let fixture: FaultFixture;
  beforeAll(async () => {
    fixture = await FaultFixture.open(level);
    for (let n = 0; n < 5; n++) await fixture.postMessage(`Before ${n}`);
  });
  afterAll(() => fixture.close());

  slowTest('every kind of failure at the start is retried until it works', async () => {
    // The waits grow with each failure, so each server gets only some kinds.
    for (const [index, fault] of kinds.entries()) {
      const path = index % 2 === 0 ? '/server_settings' : '/register';
      await fixture.server.hook('fault', {path, ...fault});
    }
    const client = fixture.client();
    client.send(fixture.talk, `Sent before the start ${client.nextSerial()}`);
    client.session.start();
    await client.offline();
    client.send(fixture.talk, `Sent before the start ${client.nextSerial()}`);
    await client.online();
    expect(await fixture.server.hook('clear-faults')).toMatchObject({left: 0});
    await expectNothingLost(fixture, client);
  });

  // Each kind once, and each place once.
  test('failures in changing places lose and duplicate nothing', async () => {
    const client = await fixture.watchingClient();
    for (const [index, target] of Object.values(targets).entries()) {
      for (const offset of [0, 3]) {
        await strike(fixture, client, target, kinds[(index + offset) % kinds.length] ?? {kind: 'html'});
      }
    }
    await expectNothingLost(fixture, client);
  });

  // Failures hardly depend on the level.
  test.runIf(isSlowTier && level === 509).each(Object.entries(targets))(
    'every kind of failure when %s loses and duplicates nothing',
    async (_when, target) => {
      const client = await fixture.watchingClient();
      for (const fault of kinds) await strike(fixture, client, target, fault);
      await expectNothingLost(fixture, client);
    },
  );
});
