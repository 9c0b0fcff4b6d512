import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {codeLanguages} from '#content/code-language.ts';
import {grammarOf, grammars} from '#content/highlight/grammars.ts';
import {
  highlightCode as highlightWithTimeout,
  isHighlightable,
  printableCodeLines,
} from '#content/highlight/highlight-code.ts';
import type {TextRole} from '#content/styled-text/line.ts';
import {expectHarmless, hostileText} from '#test/content/hostile-text.ts';
import {fewOrAll, slowTest} from '#test/support/tier.ts';

/** A long timeout, because any code may take long on a busy machine. */
const longTimeoutMs = 30_000;
const highlighted = (language: string, code: string) => highlightWithTimeout(language, code, longTimeoutMs);

/** Returns the highlighted parts of code with their roles. */
async function highlightedParts(language: string, code: string): Promise<(readonly [TextRole, string])[]> {
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
  for (const method of ['log', 'warn', 'error', 'info'] as const) vi.spyOn(console, method).mockImplementation(written);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(written).not.toHaveBeenCalled();
});

describe('colours', () => {
  test('highlights Python', async () => {
    expect(await highlightedParts('py', 'def f(x):\n\treturn "a" + 1 # why')).toEqual([
      ['code_keyword', 'def'],
      ['code_name', 'f'],
      ['code_keyword', 'return'],
      ['code_string', '"a"'],
      ['code_number', '1'],
      ['code_comment', '# why'],
    ]);
  });

  test('highlights a diff', async () => {
    expect(await highlightedParts('diff', '+new\n-old\n same')).toEqual([
      ['code_added', '+new'],
      ['code_removed', '-old'],
    ]);
  });

  test('highlights embedded languages', async () => {
    const parts = await highlightedParts('html', '<script>let x = 1;</script>');
    expect(parts).toContainEqual(['code_keyword', 'let']);
    expect(parts).toContainEqual(['code_name', 'script']);
  });

  test('highlights each line of a multi-line token', async () => {
    expect(await highlightedParts('js', '/* a\nb */')).toEqual([
      ['code_comment', '/* a'],
      ['code_comment', 'b */'],
    ]);
  });
});

test('embedded languages are highlighted whichever grammar is loaded first', async () => {
  const inside = '<style>a { color: red }</style><script>var y = "z"</script>';
  const both = await Promise.all([
    highlightedParts('html', inside),
    highlightedParts('xml', `${inside} `),
    highlightedParts('jsx', 'let q = 1'),
  ]);
  expect(both[0]).toContainEqual(['code_string', '"z"']);
  expect(both[1]).toContainEqual(['code_string', '"z"']);
});

test('isHighlightable accepts the common aliases', () => {
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

slowTest('every known language has a grammar that works', async () => {
  const names = [...codeLanguages().keys()].filter((name) => grammarOf(name) !== undefined);
  const reachable = new Set(names.map(grammarOf));
  expect(names).toHaveLength(84);
  expect([...grammars.keys()].filter((grammar) => !reachable.has(grammar))).toEqual([]);
  for (const {needs = []} of grammars.values()) for (const other of needs) expect(grammars.has(other)).toBe(true);
  for (const name of names) {
    const [alias = ''] = codeLanguages().get(name) ?? [];
    expect([name, (await highlighted(alias, 'x = 1 # "y"\n<b>'))?.length]).toEqual([name, 2]);
  }
});

test('code of an unknown language, or too long, is not highlighted', async () => {
  expect(isHighlightable('dos')).toBe(codeLanguages().get('Batchfile')?.includes('dos'));
  expect(await highlighted('nosuch', 'x')).toBeUndefined();
  expect(await highlighted('py', 'x = 1\n'.repeat(3000))).toBeUndefined();
  expect(await highlighted('py', `x = "${'y'.repeat(600)}"`)).toBeUndefined();
});

const nests = `${'('.repeat(490)}\n`.repeat(16);

test('code that takes too long is not highlighted, the next job is', async () => {
  const [first, second, next] = await Promise.all([
    highlightWithTimeout('coffee', nests, 1),
    highlightWithTimeout('c', `${'a '.repeat(245)}\n`.repeat(16), 1),
    highlighted('py', 'x = 3'),
  ]);
  expect([first, second]).toEqual([undefined, undefined]);
  expect(next).toHaveLength(1);
  expect(await highlighted('coffee', `x = ${nests}`)).toBeDefined();
});

test('highlighting does not block the event loop', async () => {
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

test('rendering a code block does not load highlight.js', () => {
  const script = `
    import {registerHooks} from 'node:module';
    const loaded = [];
    registerHooks({load: (url, context, next) => (loaded.push(url), next(url, context))});
    const {renderMessage} = await import('#content/render/render-message.ts');
    renderMessage({source: '\`\`\`py\\nx = 1\\n\`\`\`'}, {}, {width: 40});
    console.log(JSON.stringify([loaded.length > 5, loaded.filter((url) => /highlight\\.js|highlighter|katex/.test(url))]));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {encoding: 'utf8'});
  expect(JSON.parse(output)).toEqual([true, []]);
});

test('highlighting never changes the code, and gives no control characters', async () => {
  const language = fc.constantFrom('js', 'py', 'html', 'md', 'bash', 'diff', 'c', 'json', 'yaml', 'ruby', 'php');
  const parts = ['"', "'", '`', '<b>', '</', '/*', '*/', '#', '${', '}', '{', '\t', '\n', '&lt;', '&', '```', 'def '];
  await fc.assert(
    fc.asyncProperty(language, hostileText(parts), async (name, code) => {
      const lines = await highlighted(name, code);
      const plain = printableCodeLines(code);
      for (const line of plain) expectHarmless(line);
      expect(lines?.map((line) => line.map(({text}) => text).join(''))).toEqual(plain);
    }),
    {numRuns: fewOrAll(10, 80)},
  );
});

test('tabs expand to tab stops', () => {
  expect(printableCodeLines('\ta\n  \tb\nabcd\tc\n\t\td\r\ne')).toEqual([
    '    a',
    '    b',
    'abcd    c',
    '        d',
    'e',
  ]);
});
