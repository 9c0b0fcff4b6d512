import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fetchTypes} from '#state/snapshot/register-args.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';
import {performRandomAction, randomAction} from './random-actions.ts';
import {SafetyFixture, type SafetyOptions} from './safety-fixture.ts';

/** `STATE_BATCHES=200` walks longer, `SAFETY_SEED=2` another way. */
const batches = Number(process.env.STATE_BATCHES ?? fewOrAll(2, 40));
const seed = Number(process.env.SAFETY_SEED ?? 20_260_101);
const actionsPerBatch = 8;
/** A new organization after so many batches: each action costs time in proportion to the messages that exist. */
const batchesPerOrganization = 10;
const timeout = Math.max(300_000, batches * 10_000);

function randomBatches(count: number, size: number) {
  const batch = fc.record({
    actions: fc.array(randomAction, {minLength: size, maxLength: size}),
    losesQueue: fc.boolean(),
  });
  const [sample] = fc.sample(fc.array(batch, {minLength: count, maxLength: count}), {seed, numRuns: 1});
  return sample ?? [];
}

interface Walk {
  /** For each batch, where a client's state is not that of a new registration. */
  readonly differences: string[][];
  /** The number of requests that the server accepted. */
  readonly accepted: number;
}

/** Runs batches of actions. Half of them, or all, happen while one of the clients registers again. */
async function walk(
  count: number,
  {everyQueueIsLost, ...options}: SafetyOptions & {everyQueueIsLost: boolean},
): Promise<Walk> {
  const differences: string[][] = [];
  let accepted = 0;
  let fixture = await SafetyFixture.open({clientsOnly: true, ...options});
  try {
    for (const [index, {actions, losesQueue}] of randomBatches(count, actionsPerBatch).entries()) {
      if (index > 0 && index % batchesPerOrganization === 0) {
        await fixture.close();
        accepted += fixture.accepted;
        fixture = await SafetyFixture.open({clientsOnly: true, ...options});
      }
      const run = async () => {
        for (const action of actions) await performRandomAction(fixture, action);
      };
      const person = fixture.people[index % fixture.people.length];
      if ((losesQueue || everyQueueIsLost) && person !== undefined) await fixture.loseQueue(person, run);
      else await run();
      const found = await fixture.clientDifferences(everyQueueIsLost ? person : undefined);
      differences.push(found.map((one) => `${one}\n  in batch ${index} ${JSON.stringify(actions)}`));
      if (found.length > 0 && !everyQueueIsLost) break;
    }
  } finally {
    await fixture.close();
  }
  return {differences, accepted: accepted + fixture.accepted};
}

test("state: after random actions of several users, every client's state equals a new registration, also with lost queues", {
  timeout,
}, async () => {
  const {differences, accepted} = await walk(batches, {everyQueueIsLost: false});
  expect(differences.flat().join('\n')).toBe('');
  expect(accepted).toBeGreaterThan((batches * actionsPerBatch) / 2);
});

test('state: nothing that happens during registrations is lost', {timeout}, async () => {
  const {differences} = await walk(fewOrAll(8, 25), {everyQueueIsLost: true});
  expect(differences.flat().join('\n')).toBe('');
});

slowTest('state: what happens during registrations is lost unless all event types are fetched', {timeout}, async () => {
  const missing = ['stream', 'user_group', 'update_message', 'delete_message', 'channel_folder', 'navigation_view'];
  const fetch_event_types = fetchTypes.filter((type) => !missing.includes(type));
  expect(fetch_event_types).toHaveLength(fetchTypes.length - missing.length);
  const {differences} = await walk(25, {everyQueueIsLost: true, registerArgs: {fetch_event_types}});
  expect(differences.filter((found) => found.length > 0).length).toBeGreaterThan(5);
});
