import {expect, onTestFinished} from 'vitest';
import {Random} from '#std/random.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import type {FaultClient} from './fault-client.ts';
import {FaultFixture} from './fault-fixture.ts';
import {FaultyProxy} from './faulty-proxy.ts';
import {expectInvariants, waitUntilIdle} from './invariants.ts';
import {soakActions} from './soak-actions.ts';

interface Soak {
  readonly fixture: FaultFixture;
  readonly random: Random;
  /** Two clients of one account on one file, one of another account. */
  readonly clients: readonly FaultClient[];
  readonly lines: readonly FaultyProxy[];
}

type Trouble = (soak: Soak) => unknown;

const kinds = ['html', 'truncate', 'drop_before', 'drop_after', 'rate_limit', 'status'] as const;
const paths = ['', '/events', '/messages', '/register', '/drafts', '/server_settings', '/messages/flags'] as const;

const troubles: readonly Trouble[] = [
  ({fixture, random}) => {
    const [kind, path] = [random.pick(kinds), random.pick(paths)];
    return fixture.server.hook('fault', {kind, path, times: 1 + random.below(3), status: 502});
  },
  ({fixture, random}) => {
    const [kind, path] = [random.pick(kinds), random.pick(paths)];
    return fixture.server.hook('fault', {kind, path, times: 1 + random.below(3), status: 500});
  },
  ({fixture, random}) =>
    fixture.server.hook('expire-queues', {user_id: random.pick([fixture.meg.id, fixture.otto.id])}),
  ({fixture, random}) => fixture.server.hook('redeliver', {count: 1 + random.below(10)}),
  ({fixture, random}) => fixture.server.hook('restart', {feature_level: random.pick([fixture.level, 300])}),
  ({lines, random}) => random.pick(lines)?.reset(),
  ({lines, random}) => random.pick(lines)?.cut(),
  ({lines, random}) => random.pick(lines)?.silence(),
  ({lines, random}) => random.pick(lines)?.deafen(),
  ({lines, random}) => random.pick(lines)?.drip(),
  ({clients, random}) => random.pick(clients)?.clock.jump(random.pick([60_000, 1_800_000])),
  ({clients, random}) => random.pick(clients)?.session.wake(random.pick(['focus', 'key', 'resumed'])),
];

/** Posts a message by other means, as far as the server permits. */
async function postRandomMessage({fixture, random}: Soak): Promise<void> {
  const as = fixture.server.as(fixture.server.owner);
  const topic = random.pick(['Talk', 'Tea', 'A teapot']);
  const content = random.pick(['Hear, hear', 'More tea from the teapot', `@**${fixture.meg.fullName}** there?`]);
  await as.raw('POST', '/messages', {type: 'stream', to: fixture.channelId, topic, content}).catch(() => {});
}

async function round(soak: Soak): Promise<void> {
  const {fixture, random, clients, lines} = soak;
  if (random.below(3) === 0) await random.pick(troubles)?.(soak);
  for (const client of clients) {
    // A failure is shown to the user, so it is ignored here.
    Promise.resolve(random.pick(soakActions)?.(client, random, fixture)).catch(() => {});
  }
  await postRandomMessage(soak);
  if (random.below(8) > 0) return;
  for (const line of lines) line.heal();
  await Promise.all(clients.map((client) => client.online()));
}

async function soaked(level: number, seed: number, rounds: number): Promise<void> {
  const fixture = await FaultFixture.open(level);
  onTestFinished(() => fixture.close());
  const random = new Random(seed);
  const directory = scratchDirectory();
  const lines = [
    await FaultyProxy.to(fixture.server.port),
    await FaultyProxy.to(fixture.server.port),
    await FaultyProxy.to(fixture.server.port),
  ];
  onTestFinished(async () => void (await Promise.all(lines.map((line) => line.close()))));
  const clients: FaultClient[] = [];
  for (const [index, line] of lines.entries()) {
    const person = index < 2 ? fixture.meg : fixture.otto;
    clients.push(await fixture.watchingClient({site: line.url, directory, person}));
  }
  const soak = {fixture, random, clients, lines};
  for (let done = 0; done < rounds; done++) {
    await round(soak);
    if (done === Math.floor(rounds / 2)) {
      await fixture.server.kill();
      await fixture.server.start();
    }
  }
  await fixture.server.hook('clear-faults');
  for (const line of lines) line.heal();
  // Clients that saw another level register again later, unless a new queue comes first.
  await fixture.server.hook('expire-queues');
  await expectInvariants(fixture, ...clients);
  for (const client of clients) client.resendAll();
  await waitUntilIdle(fixture, ...clients);
  await expectInvariants(fixture, ...clients);
  for (const client of clients) expect(client.state.outbox.filter(({status}) => status !== 'failed')).toEqual([]);
}

const walks = [
  [509, 2, 100],
  [122, 3, 60],
] as const;

slowTest.each(walks)('soak: three clients on a server of level %i with random faults (seed %i, %i rounds)', soaked);
