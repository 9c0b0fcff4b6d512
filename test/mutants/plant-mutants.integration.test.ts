import {stripTypeScriptTypes} from 'node:module';
import {expect, test} from 'vitest';
import {type kinds, type Mutant, plantMutants} from './plant-mutants.ts';
import {switchesOf} from './switch-functions.ts';

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

/** Runs a text with one mutant turned on, and returns what it assigns to \`result\`; with -1 none is on. */
async function run(text: string, active: number, chosen?: ReadonlySet<number> | 'reach'): Promise<unknown> {
  const {code} = plantMutants('a.ts', text, chosen);
  const plain = stripTypeScriptTypes(code).replaceAll('globalThis.$mutants', '$mutants');
  const body = `return (async () => {let result; ${plain}; return result;})()`;
  return new Function('$mutants', body)(() => switchesOf((id) => id === active));
}

/** Returns a text of a function that is called at once, so that its mutants are not evaluated with a module. */
function inFunction(text: string): string {
  return `result = await (async () => {${text}})();`;
}

test('mutants: with no switch on, the program does what it did; with one on, something else', async () => {
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
  const plain = await run(source, -1);
  expect(plain).toEqual(['y', 'none', 'y', 'none', 'three', '', 'x,y,y,,,']);
  const alive: Mutant[] = [];
  for (const [id, mutant] of mutants.entries()) {
    if (mutant.isEvaluatedOnce) continue;
    if (JSON.stringify(await run(source, id)) === JSON.stringify(plain)) alive.push(mutant);
  }
  // No array here has an element 7 or 8.
  expect(alive.map(({change}) => change)).toEqual(['7 → 8']);
});

/** What each mutant of a kind makes of a text: the result without a mutant first. */
const cases: readonly (readonly [kind: keyof typeof kinds, text: string, results: readonly unknown[]])[] = [
  [
    'property',
    `const a = 1; return {a, 'b': 2, ['c']: 3, d: undefined, get e() { return 5; }, f() {}, g: false};`,
    [
      {a: 1, b: 2, c: 3, e: 5, g: false},
      {b: 2, c: 3, e: 5, g: false},
      {a: 1, c: 3, e: 5, g: false},
      {a: 1, b: 2, e: 5, g: false},
    ],
  ],
  ['element', `const [p, q] = [8, 9]; return [p, [q, p, q].length];`, [[8, 3], [3], [8], [8, 2], [8, 2], [8, 2]]],
  [
    'spread',
    `const a = [1, 2]; return [...a, {...{b: 3}}, Math.max(...a)];`,
    [
      [1, 2, {b: 3}, 2],
      [{b: 3}, 2],
      [1, 2, {}, 2],
      [1, 2, {b: 3}, null],
    ],
  ],
  [
    'event',
    `const all = []; const act = {emit: (...args) => all.push(args)}; const body = {op: 'add', is: false};
    act.emit('x', [1], body); act.emit('y', () => ({id: 7})); return [all[0][2], all[1][1]()];`,
    [
      [{op: 'add', is: false}, {id: 7}],
      [{is: false}, {id: 7}],
      [{op: 'add'}, {id: 7}],
      [{op: 'add', is: false}, {}],
    ],
  ],
  [
    'input',
    `const memoBySlices = (slices, compute) => slices; const memoByInputs = (owner, inputs) => inputs(1, 2);
    const key = \`\${1} \${2}\`; const [v, w] = [3, 4];
    return [memoBySlices(['a', 'b'], () => [7]), memoByInputs((a) => a, (a, b) => [a, b]), key];`,
    [
      [['a', 'b'], [1, 2], '1 2'],
      [['a', 'b'], [1, 2], ' 2'],
      [['a', 'b'], [1, 2], '1 '],
      [['b'], [1, 2], '1 2'],
      [['a'], [1, 2], '1 2'],
      [['a', 'b'], [2], '1 2'],
      [['a', 'b'], [1], '1 2'],
    ],
  ],
  [
    'await',
    `const a = await Promise.resolve('done'); return [a instanceof Promise, await Promise.resolve(2)];`,
    [
      [false, 2],
      [true, 2],
      [false, {}],
    ],
  ],
  [
    'arguments',
    `function join(a: string, b: string, n: number) { return a + b + n; }
    const [x, y, n] = ['x', 'y', 1]; const other = join.bind(undefined); const [fromId, toId] = ['1', '2'];
    return [join(x, y, n), other(fromId, toId, n), other(x, n), Math.max(fromId, toId)];`,
    [
      ['xy1', '121', 'x1undefined', 2],
      ['yx1', '121', 'x1undefined', 2],
      ['xy1', '211', 'x1undefined', 2],
    ],
  ],
  [
    'finally',
    `let closed = 0; const fail = () => { throw new Error('no'); };
    try { fail(); } catch { closed += 1; } finally { closed += 10; }
    try { try { fail(); } finally { closed += 100; } } catch {}
    try { closed += 1000; } finally { closed += 10000; }
    await Promise.reject(new Error('no')).finally(() => { closed += 100000; }).catch(() => undefined);
    return closed;`,
    [111111, 111101, 111011, 111111, 11111],
  ],
  [
    'sql',
    `const where = 'b = 2';
    return ['SELECT a FROM t WHERE b <= ? AND c > 1 ORDER BY d LIMIT ?', \`SELECT a FROM t WHERE \${where} ORDER BY d DESC LIMIT 5\`];`,
    [
      [
        'SELECT a FROM t WHERE b <= ? AND c > 1 ORDER BY d LIMIT ?',
        'SELECT a FROM t WHERE b = 2 ORDER BY d DESC LIMIT 5',
      ],
      ['SELECT a FROM t WHERE (b <= ? OR 1) AND c > 1 ORDER BY d LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b <= ? AND (c > 1 OR 1) ORDER BY d LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b </*=*/ ? AND c > 1 ORDER BY d LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b <= ? AND c >= 1 ORDER BY d LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b <= ? AND c > 1 /*ORDER BY d*/ LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b <= ? AND c > 1 ORDER BY d DESC LIMIT ?', expect.anything()],
      ['SELECT a FROM t WHERE b <= ? AND c > 1 ORDER BY d LIMIT -abs(?)', expect.anything()],
      [expect.anything(), 'SELECT a FROM t WHERE b = 2 /*ORDER BY d DESC*/ LIMIT 5'],
      [expect.anything(), 'SELECT a FROM t WHERE b = 2 ORDER BY d /*DESC*/ LIMIT 5'],
      [expect.anything(), 'SELECT a FROM t WHERE b = 2 ORDER BY d DESC /*LIMIT 5*/'],
    ],
  ],
];

test.each(cases)(
  'mutants of %s: each changes what it says, and nothing else',
  async (kind, text, [plain, ...results]) => {
    const whole = inFunction(text);
    const {mutants} = plantMutants('a.ts', whole);
    const ids = mutants.flatMap((mutant, id) => (mutant.kind === kind ? [id] : []));
    // NaN is written as null.
    const outcome = async (id: number) => JSON.parse(JSON.stringify(await run(whole, id)));
    expect(await outcome(-1)).toEqual(plain);
    expect(JSON.stringify(await run(whole, -1, 'reach'))).toEqual(JSON.stringify(await run(whole, -1)));
    const found: unknown[] = [];
    for (const id of ids) found.push(await outcome(id));
    expect(found).toEqual(results);
  },
);

test('mutants: only the chosen ones are planted, with the same numbers', async () => {
  const text = inFunction('return {a: 1, b: [2, 3, 4]};');
  const {mutants, code} = plantMutants('a.ts', text, new Set([2]));
  expect(mutants).toEqual(plantMutants('a.ts', text).mutants);
  expect(code.match(/\$m\(/g)).toHaveLength(1);
  expect(await run(text, 2, new Set([2]))).toEqual({a: 1});
});

test('mutants: the entries of a table that is made with its module are known as such', () => {
  const {mutants} = plantMutants(
    'a.ts',
    `const rows = [{id: 'a'}, {id: 'b'}]; const names = memoBySlices(['x'], () => 1);`,
  );
  const expected = [
    ['row', `drop {id: 'a'}`],
    ['row', `drop {id: 'b'}`],
    ['row', `drop id: 'a'`],
    ['row', `drop id: 'b'`],
    ['input', `drop 'x'`],
  ];
  expect(mutants.filter(({isEvaluatedOnce}) => isEvaluatedOnce).map(({kind, change}) => [kind, change])).toEqual(
    expected,
  );
});
