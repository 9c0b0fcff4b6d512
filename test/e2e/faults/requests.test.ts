import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type FaultClient, isAtRest} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {expectInvariants, waitUntilIdle} from './invariants.ts';

type Fault = Readonly<{kind: string; status?: number; retry_after?: number}>;

const kinds: readonly Fault[] = [
  {kind: 'html'},
  {kind: 'html', status: 200},
  {kind: 'truncate'},
  {kind: 'drop_before'},
  {kind: 'drop_after'},
  {kind: 'rate_limit', retry_after: 2},
  {kind: 'status', status: 500},
];

/** A place for a fault, and an action that meets it. */
interface Target {
  readonly method: string;
  readonly path: string;
  provoke(stage: FaultFixture, client: FaultClient): Promise<unknown>;
}

const targets: Readonly<Record<string, Target>> = {
  'polling for events': {
    method: 'GET',
    path: '/events',
    async provoke(stage, client) {
      client.send(stage.talk, `Sent while polls fail ${client.nextSerial()}`);
      // The poll in flight returns the first message; the next poll meets the fault.
      await client.heard(await stage.say('Said while polls fail'));
      await client.heard(await stage.say('Said while polls fail'));
    },
  },
  sending: {
    method: 'POST',
    path: '/messages',
    async provoke(stage, client) {
      client.send(stage.talk, `Sent in trouble ${client.nextSerial()}`);
      client.send(stage.private, `Sent in trouble ${client.nextSerial()}`);
      await client.until(({outbox}) => outbox.every(isAtRest));
    },
  },
  registering: {method: 'POST', path: '/register', provoke: loseQueue},
  'asking for the settings of the server': {method: 'GET', path: '/server_settings', provoke: loseQueue},
  'fetching messages': {method: 'GET', path: '/messages', provoke: loseQueue},
  'keeping drafts': {
    method: 'POST',
    path: '/drafts',
    async provoke(stage, client) {
      for (let n = 0; n < 2; n++) client.write(stage.talk, `Written in trouble ${client.nextSerial()}`);
      await client.until(({localDrafts}) => localDrafts.every(({status}) => status === 'clean'));
    },
  },
  'marking messages': {
    method: 'POST',
    path: '/messages/flags',
    async provoke(stage, client) {
      const id = await stage.say('To be marked');
      await client.heard(id);
      const done = client.session.pendingChanges.perform({
        kind: 'flags',
        op: 'add',
        flag: 'starred',
        ids: [id],
      });
      client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [id]});
      done?.undo();
      await waitUntilIdle(stage, client);
    },
  },
};

/** Expires the queue; much happens before the next one exists. */
async function loseQueue(stage: FaultFixture, client: FaultClient): Promise<void> {
  const {server, meg} = stage;
  const before = client.session.context.queueId();
  await server.hook('expire-queues', {user_id: meg.id});
  const ids = [await stage.say('Said without a queue'), await stage.tell('Told without a queue')];
  client.send(stage.talk, `Sent without a queue ${client.nextSerial()}`);
  await client.until(() => ![undefined, before].includes(client.session.context.queueId()));
  await client.heard(...ids);
}

/** Edits, deletes, stars and reads earlier messages, and writes a draft. */
async function bustle(stage: FaultFixture, client: FaultClient): Promise<void> {
  const {server, otto, meg} = stage;
  const edited = await stage.say('A teapot');
  const doomed = await stage.say('Gone soon');
  const told = await stage.tell(`@**${meg.fullName}**`);
  await client.heard(edited, doomed, told);
  await server.as(otto).patch(`/messages/${edited}`, {content: 'Two teapots'});
  await server.as(server.owner).delete(`/messages/${doomed}`);
  client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [edited]});
  client.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [told]});
  client.write(stage.talk, `Begun after ${told}`);
}

async function strike(stage: FaultFixture, client: FaultClient, target: Target, fault: Fault): Promise<void> {
  const {method, path, provoke} = target;
  await stage.server.hook('fault', {method, path, ...fault});
  await provoke(stage, client);
  expect(await stage.server.hook('clear-faults'), `${fault.kind} ${path}`).toMatchObject({left: 0});
}

async function expectNothingLost(stage: FaultFixture, client: FaultClient): Promise<void> {
  await bustle(stage, client);
  await expectInvariants(stage, client);
  client.resendAll();
  await expectInvariants(stage, client);
  expect(client.state.outbox).toEqual([]);
}

describe.each([122, 509])('request faults on a server of level %i', (level) => {
  let stage: FaultFixture;
  beforeAll(async () => {
    stage = await FaultFixture.open(level);
    for (let n = 0; n < 5; n++) await stage.say(`Before ${n}`);
  });
  afterAll(() => stage.close());

  test('every kind of failure at the start is retried until it works', async () => {
    // The waits grow with each failure, so each server gets only some kinds.
    for (const [index, fault] of kinds.entries()) {
      const path = index % 2 === 0 ? '/server_settings' : '/register';
      await stage.server.hook('fault', {path, ...fault});
    }
    const client = stage.client();
    client.send(stage.talk, `Sent before the start ${client.nextSerial()}`);
    client.session.start();
    await client.offline();
    client.send(stage.talk, `Sent before the start ${client.nextSerial()}`);
    await client.online();
    expect(await stage.server.hook('clear-faults')).toMatchObject({left: 0});
    await expectNothingLost(stage, client);
  });

  // Failures hardly depend on the level, so on older servers each kind is tried once, and each place once.
  test.runIf(level !== 509)('failures in changing places lose and duplicate nothing', async () => {
    const client = await stage.watchingClient();
    for (const [index, target] of Object.values(targets).entries()) {
      for (const offset of [0, 3]) {
        await strike(stage, client, target, kinds[(index + offset) % kinds.length] ?? {kind: 'html'});
      }
    }
    await expectNothingLost(stage, client);
  });

  test.runIf(level === 509).each(Object.entries(targets))(
    'every kind of failure when %s loses and duplicates nothing',
    async (_when, target) => {
      const client = await stage.watchingClient();
      for (const fault of kinds) await strike(stage, client, target, fault);
      await expectNothingLost(stage, client);
    },
  );
});
