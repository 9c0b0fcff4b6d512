import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {performRandomAction, type RandomAction, randomAction} from './random-actions.ts';
import {ReadChecker} from './read-checker.ts';
import {SafetyFixture} from './safety-fixture.ts';

/** More runs with another seed find more: `SAFETY_RUNS=500 SAFETY_SEED=2 vitest run …`. */
const runs = Number(process.env.SAFETY_RUNS ?? fewOrAll(1, 25));
const seed = Number(process.env.SAFETY_SEED ?? 20_260_101);
async function runScript(fixture: SafetyFixture, script: readonly RandomAction[]): Promise<void> {
  const {inspector, oracle, people} = fixture;
  for (const step of script) {
    await performRandomAction(fixture, step);
    expect(inspector.problems).toEqual([]);
  }
  for (const [index, person] of people.entries()) {
    if (!oracle.now.users.get(person.id)?.isActive) continue;
    await new ReadChecker(fixture, person, index === script.length % people.length).checkEverything();
  }
  const differences = await fixture.stateDifferences();
  expect(inspector.problems).toEqual([]);
  expect(differences.join('\n')).toBe('');
}

test('visibility: no user receives hidden data, and the events add up to the state of a new registration', {
  timeout: Math.max(300_000, runs * 5_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomAction, {minLength: 15, maxLength: 30}), async (script) => {
      const fixture = await SafetyFixture.open();
      try {
        await runScript(fixture, script);
      } finally {
        await fixture.close();
      }
    }),
    {numRuns: runs, seed, interruptAfterTimeLimit: 240_000},
  );
});
