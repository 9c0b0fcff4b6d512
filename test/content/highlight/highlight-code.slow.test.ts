import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {codeLanguages} from '#content/code-language.ts';
import {grammarByLanguage, grammars} from '#content/highlight/grammars.ts';
import {
  highlightCode as highlightedWithin,
  isHighlightable,
  printableCodeLines,
} from '#content/highlight/highlight-code.ts';
import type {TextRole} from '#content/styled-text/line.ts';
import {expectHarmless, hostileText} from '#test/content/hostile-text.ts';

/** On a busy machine any code may take long. */
const patient = 30_000;
const highlighted = (language: string, code: string) => highlightedWithin(language, code, patient);

/** The pieces of code that have a colour. */
async function coloured(language: string, code: string): Promise<(readonly [TextRole, string])[]> {
  const lines = await highlighted(language, code);
  if (lines === undefined) throw new Error('plain');
  return lines.flat().flatMap(({role, text}) => (role === 'code_block' ? [] : [[role, text] as const]));
}

const written = vi.fn();
beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((...args) => {
      written(...args);
      return true;
    });
  }
  for (const method of ['log', 'warn', 'error', 'info'] as const)
    vi.spyOn(console, method).mockImplementation(written);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(written).not.toHaveBeenCalled();
});

describe('colours', () => {
  test('of Python', async () => {
    expect(await coloured('py', 'def f(x):\n\treturn "a" + 1 # why')).toEqual([
      ['code_keyword', 'def'],
      ['code_name', 'f'],
      ['code_keyword', 'return'],
      ['code_string', '"a"'],
      ['code_number', '1'],
      ['code_comment', '# why'],
    ]);
  });

  test('of a diff', async () => {
    expect(await coloured('diff', '+new\n-old\n same')).toEqual([
      ['code_added', '+new'],
      ['code_removed', '-old'],
    ]);
  });

  test('of code inside code', async () => {
    const found = await coloured('html', '<script>let x = 1;</script>');
    expect(found).toContainEqual(['code_keyword', 'let']);
    expect(found).toContainEqual(['code_name', 'script']);
  });

  test('of what goes over several lines, on each of them', async () => {
    expect(await coloured('js', '/* a\nb */')).toEqual([
      ['code_comment', '/* a'],
      ['code_comment', 'b */'],
    ]);
  });
});

test('code inside code has its colours whichever is asked for first', async () => {
  const inside = '<style>a { color: red }</style><script>var y = "z"</script>';
  const both = await Promise.all([
    coloured('html', inside),
    coloured('xml', `${inside} `),
    coloured('jsx', 'let q = 1'),
  ]);
  expect(both[0]).toContainEqual(['code_string', '"z"']);
  expect(both[1]).toContainEqual(['code_string', '"z"']);
});

test('names are those people type after a fence', () => {
  for (const name of [
    'js',
    'JavaScript',
    'c++',
    'cpp',
    'sh',
    'html',
    'yml',
    'toml',
    'rs',
    'golang',
    'ts',
    'tsx',
    'sql',
  ]) {
    expect([name, isHighlightable(name)]).toEqual([name, true]);
  }
  for (const name of ['', 'none', 'text', 'quote', 'nosuch', 'constructor', '__proto__']) {
    expect([name, isHighlightable(name)]).toEqual([name, false]);
  }
});

test('every language named leads to a grammar, and every grammar works', async () => {
  expect([...grammarByLanguage.keys()].filter((name) => !codeLanguages().has(name))).toEqual([]);
  const reachable = new Set(grammarByLanguage.values());
  expect([...grammars.keys()].filter((grammar) => !reachable.has(grammar))).toEqual([]);
  for (const {needs = []} of grammars.values())
    for (const other of needs) expect(grammars.has(other)).toBe(true);
  for (const name of grammarByLanguage.keys()) {
    const [alias = ''] = codeLanguages().get(name) ?? [];
    expect([name, (await highlighted(alias, 'x = 1 # "y"\n<b>'))?.length]).toEqual([name, 2]);
  }
});

test('plain code stays plain', async () => {
  expect(await highlighted('nosuch', 'x')).toBeUndefined();
  expect(await highlighted('py', 'x = 1\n'.repeat(3000))).toBeUndefined();
  expect(await highlighted('py', `x = "${'y'.repeat(600)}"`)).toBeUndefined();
});

test('the same code is coloured once', async () => {
  const first = await highlighted('py', 'x = 2');
  expect(await highlighted('python3', 'x = 2')).toBe(first);
  expect(await highlighted('js', 'x = 2')).not.toBe(first);
});

const nests = `${'('.repeat(490)}\n`.repeat(16);

test('code written against the patterns is given up on, and what waits behind it is not', async () => {
  const [given, up, next] = await Promise.all([
    highlightedWithin('coffee', nests, 1),
    highlightedWithin('c', `${'a '.repeat(245)}\n`.repeat(16), 1),
    highlighted('py', 'x = 3'),
  ]);
  expect([given, up]).toEqual([undefined, undefined]);
  expect(next).toHaveLength(1);
  expect(await highlighted('coffee', `x = ${nests}`)).toBeDefined();
});

test('keys are heard while code is being coloured', async () => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await highlighted('coffee', `y = ${nests}`);
  isDone = true;
  expect(turns).toBeGreaterThan(3);
});

test('the first paint of code loads nothing to colour it with', () => {
  const script = `
    import {registerHooks} from 'node:module';
    const loaded = [];
    registerHooks({load: (url, context, next) => (loaded.push(url), next(url, context))});
    const {renderMessage} = await import('#content/render/render-message.ts');
    renderMessage({source: '\`\`\`py\\nx = 1\\n\`\`\`'}, {}, {width: 40});
    console.log(JSON.stringify([loaded.length > 5, loaded.filter((url) => /highlight\\.js|highlighter|katex/.test(url))]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {encoding: 'utf8'});
  expect(JSON.parse(said)).toEqual([true, []]);
});

test('colours never change what the code says, and nothing a terminal obeys comes through', async () => {
  const language = fc.constantFrom(
    'js',
    'py',
    'html',
    'md',
    'bash',
    'diff',
    'c',
    'json',
    'yaml',
    'ruby',
    'php',
  );
  const parts = [
    '"',
    "'",
    '`',
    '<b>',
    '</',
    '/*',
    '*/',
    '#',
    '${',
    '}',
    '{',
    '\t',
    '\n',
    '&lt;',
    '&',
    '```',
    'def ',
  ];
  await fc.assert(
    fc.asyncProperty(language, hostileText(parts), async (name, code) => {
      const lines = await highlighted(name, code);
      const plain = printableCodeLines(code);
      for (const line of plain) expectHarmless(line);
      expect(lines?.map((line) => line.map(({text}) => text).join(''))).toEqual(plain);
    }),
    {numRuns: 40},
  );
});

test('tabs end at stops', () => {
  expect(printableCodeLines('\ta\n  \tb\nabcd\tc\n\t\td\r\ne')).toEqual([
    '    a',
    '    b',
    'abcd    c',
    '        d',
    'e',
  ]);
});
