import {appendFileSync} from 'node:fs';
import fc from 'fast-check';
import {test} from 'vitest';
import {type Deed, type DeedKind, deeds, perform} from './deeds.ts';
import {lookAround} from './looks.ts';
import {Stage} from './stage.ts';

const out = process.env.HUNT_OUT ?? '/tmp/hunt.log';
const kinds = Object.keys(deeds) as DeedKind[];
const often: DeedKind[] = [
  'send',
  'send',
  'send',
  'tell',
  'move',
  'move',
  'retitle',
  'join',
  'add',
  'leave',
  'remove',
  'makePrivate',
  'makePublic',
  'grant',
  'promote',
];
const number = fc.nat(1023);
const deed = fc.record({
  kind: fc.constantFrom(...kinds, ...often, ...often),
  actor: number,
  a: number,
  b: number,
  c: number,
});

async function run(script: readonly Deed[]): Promise<string[]> {
  const stage = await Stage.open(process.env.THOROUGH !== undefined);
  try {
    for (const step of script) {
      await perform(stage, step);
      if (stage.inspector.problems.length > 0) return stage.inspector.problems;
    }
    const diffs = await stage.settle();
    if (diffs.length > 0) return diffs;
    if (stage.inspector.problems.length > 0) return stage.inspector.problems;
    const start = script.length;
    for (const person of process.env.THOROUGH === undefined
      ? [0, 3, 5].map((i) => stage.people[(start + i) % 8] as never as (typeof stage.people)[0])
      : stage.people)
      if (stage.oracle.now.users.get(person.id)?.isActive) await lookAround(stage, person);
    return stage.inspector.problems;
  } catch (error) {
    return [String(error instanceof Error ? error.stack : error)];
  } finally {
    await stage.close();
  }
}
const signature = (problems: readonly string[]) =>
  (problems[0] ?? '')
    .replaceAll(/x(con|top|cha|nam|ema|pri)\d+x/g, '$1')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/GET \S+ .*/g, (m) => m.slice(0, 60))
    .replaceAll(/"(value|content|subject|topic)":"[^"]*"/g, '')
    .slice(0, 130);

test('hunt', {timeout: 10_000_000}, async () => {
  const seen = new Set<string>();
  const until = Date.now() + Number(process.env.HUNT_SECONDS ?? 60) * 1000;
  let seed = Number(process.env.SAFETY_SEED ?? 1);
  let count = 0;
  const times = [];
  while (Date.now() < until) {
    const [script = []] = fc.sample(fc.array(deed, {minLength: 20, maxLength: 40}), {
      numRuns: 1,
      seed: seed++,
    });
    const t = performance.now();
    let problems = await run(script);
    times.push(performance.now() - t);
    count++;
    if (problems.length === 0) continue;
    const wanted = signature(problems);
    if (seen.has(wanted)) continue;
    seen.add(wanted);
    let best = script;
    for (let i = best.length - 1; i >= 0 && Date.now() < until + 60_000; i--) {
      const without = best.filter((_, index) => index !== i);
      const found = await run(without);
      if (found.length > 0 && signature(found) === wanted) {
        best = without;
        problems = found;
        i = Math.min(i, best.length);
      }
    }
    appendFileSync(
      out,
      `\n=== seed ${seed - 1}: ${wanted}\n${best.map((d) => JSON.stringify(d)).join('\n')}\n-> ${problems
        .slice(0, 4)
        .map((p) => p.slice(0, 1800))
        .join('\n   ')}\n`,
    );
    if (seen.size >= Number(process.env.HUNT_MAX ?? 6)) break;
  }
  appendFileSync(out, `\n${count} runs, mean ${times.reduce((a, b) => a + b, 0) / times.length} ms\n`);
});
