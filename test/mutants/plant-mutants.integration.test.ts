import {stripTypeScriptTypes} from 'node:module';
import {expect, test} from 'vitest';
import {plantMutants} from './plant-mutants.ts';

const source = `
const base = 10;
const seen: string[] = [];
function judge(count: number, names: readonly string[], isLoud = false): string {
  seen.push(names[0] as string);
  if (count - 1 >= base && (isLoud || names.length > 0)) return names.filter((name) => name !== 'x').join();
  return count === 3 ? 'three' : (names[7] ?? 'none');
}
result = [judge(11, ['x', 'y']), judge(10, ['y']), judge(12, ['y']), judge(12, []), judge(3, []), judge(20, [], true), seen.join()];
`;

/** Runs the source with one mutant turned on; with -1 none is. */
function run(active: number): unknown {
  const {code} = plantMutants('a.ts', source);
  const isOn = (id: number) => id === active;
  const switches = Object.assign(isOn, {
    not: (id: number, value: unknown) => (isOn(id) ? !value : value),
    compare: (id: number, operator: string, left: unknown, right: unknown) =>
      new Function('a', 'b', `return a ${isOn(id) ? other[operator] : operator} b`)(left, right),
    drop: <T>(id: number, value: T, call: (value: T) => T) => (isOn(id) ? value : call(value)),
  });
  const plain = stripTypeScriptTypes(code).replaceAll('globalThis.$mutants', '$mutants');
  return new Function('$mutants', `let result; ${plain}; return result;`)(() => switches);
}

const other: Readonly<Record<string, string>> = {'-': '+', '>=': '>', '>': '>=', '!==': '===', '===': '!=='};

test('mutants: with no switch on, the program does what it did; with one on, something else', () => {
  const {mutants} = plantMutants('a.ts', source);
  const changes = mutants.map(({change}) => change);
  for (const part of [
    'negate count - 1 >= base',
    'drop seen.push',
    '=== → !==',
    'drop && ',
    'drop || ',
    'drop ?? ',
    'drop .filter',
    '- → +',
    '1 → 2',
    'false → true',
  ]) {
    expect(
      changes.some((change) => change.includes(part)),
      part,
    ).toBe(true);
  }
  const plain = run(-1);
  expect(plain).toEqual(['y', 'none', 'y', 'none', 'three', '', 'x,y,y,,,']);
  const alive = mutants.filter(
    ({isEvaluatedOnce}, id) => !isEvaluatedOnce && JSON.stringify(run(id)) === JSON.stringify(plain),
  );
  // No array here has an element 7 or 8.
  expect(alive.map(({change}) => change)).toEqual(['7 → 8']);
});
