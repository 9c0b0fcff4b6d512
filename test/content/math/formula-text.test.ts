import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import katex from 'katex';
import {expect, test} from 'vitest';
import {formulaText} from '#content/math/formula-text.ts';
import {functionNames, texAccents, texSpaces, texSymbols} from '#content/math/tex-symbols.ts';
import {expectHarmless, expectLinearTime, hostileText} from '#test/content/hostile-text.ts';

const formulas: readonly (readonly [tex: string, text: string])[] = [
  ['a^2 = b^2 + c^2', 'a² = b² + c²'],
  [String.raw`1 \oplus 0 = 1`, '1 ⊕ 0 = 1'],
  ['   x = 7   ', 'x = 7'],
  [String.raw`\text{**a**}`, '**a**'],
  [String.raw`\alpha\beta \leq \Omega`, 'αβ ≤ Ω'],
  [String.raw`e^{i\pi} + 1 = 0`, 'e^(iπ) + 1 = 0'],
  ['x_1 + x_{i,j} + x_{12}', 'x₁ + x_(i,j) + x₁₂'],
  ['x_q^2 y', 'x_(q)²y'],
  ['x^q y + x^q', 'x^(q)y + x^q'],
  [String.raw`\frac{a}{b}`, 'a/b'],
  [String.raw`\frac{a+b}{c}`, '(a+b)/c'],
  [String.raw`\frac{1}{2a}`, '1/(2a)'],
  [String.raw`2\frac{1}{2}x`, '2(1/2)x'],
  [String.raw`\frac12 + \frac{1}{2}^2`, '1/2 + (1/2)²'],
  [String.raw`\frac{n(n+1)}{2}`, 'n(n+1)/2'],
  [String.raw`\frac{\frac{a}{b}}{c}`, '(a/b)/c'],
  [String.raw`x = \frac{-b \pm \sqrt{b^2-4ac}}{2a}`, 'x = (-b±√(b²-4ac))/(2a)'],
  [String.raw`\sqrt{x} + \sqrt{xy} + \sqrt{x}y`, '√x + √(xy) + √(x)y'],
  [String.raw`\sqrt[3]{x} + \sqrt[n]{2}`, '∛x + ⁿ√2'],
  [String.raw`\sum_{i=1}^n i`, '∑ᵢ₌₁ⁿ i'],
  [String.raw`\sum_{k=0}^\infty x^k`, '∑ₖ₌₀^∞ xᵏ'],
  [String.raw`\int_0^1 f(x) \, dx`, '∫₀¹ f(x) dx'],
  [String.raw`\lim_{x \to 0} \frac{\sin x}{x} = 1`, 'lim_(x→0) (sin x)/x = 1'],
  [String.raw`O(n \log n)`, 'O(n log n)'],
  [String.raw`\log_2 n`, 'log₂ n'],
  [String.raw`s = \sum_i x_i + \int f`, 's = ∑ᵢ xᵢ + ∫ f'],
  [String.raw`y = \log x - \sin x`, 'y = log x - sin x'],
  [String.raw`f: \mathbb{R}^n \to \mathcal{L}(V)`, 'f : ℝⁿ → ℒ(V)'],
  [String.raw`\mathbb{A}\mathfrak{g}\mathbf{x1}\mathrm{d}t`, '𝔸𝔤𝐱𝟏dt'],
  [String.raw`\vec{v} \cdot \hat{n}, \overline{AB}`, 'v⃗ · n̂, A̅B̅'],
  ["f''(x) = -2 f'(x)", 'f″(x) = -2f′(x)'],
  [String.raw`\left(\frac{a}{b}\right)^2`, '(a/b)²'],
  [String.raw`\left. x \right|_0`, 'x|₀'],
  [String.raw`\{x \mid x > 0\}`, '{x ∣ x > 0}'],
  [String.raw`|x| \le \|y\|`, '|x| ≤ ‖y‖'],
  [String.raw`\binom{n}{k} \equiv 1 \pmod{7}`, '(n choose k) ≡ 1 (mod 7)'],
  [String.raw`a \not= b \not\in C`, 'a ≠ b ∉ C'],
  [String.raw`90^\circ, A^\top, x^*`, '90°, Aᵀ, x*'],
  ['1,000.5 + 1{,}5', '1,000.5 + 1,5'],
  ['-x - -y', '-x - -y'],
  [String.raw`\$5 \text{ to } 10\%`, '$5 to 10%'],
  [String.raw`\text{rate}=2`, 'rate = 2'],
  [String.raw`a\; = b`, 'a = b'],
  ['日本 = x', '日本 = x'],
];

test.each(formulas)('formulaText: %s becomes %s', (tex, text) => {
  expect(formulaText(tex)).toBe(text);
});

test.each([
  String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`,
  String.raw`\begin{cases} 1 \\ 2 \end{cases}`,
  String.raw`a \\ b`,
  'a & b',
  String.raw`\nosuchcommand{x}`,
  String.raw`\overbrace{a}^{b}`,
  String.raw`\widehat{AB}`,
  '{a',
  'a}',
  'x^',
  'x^2^3',
  'x_1_2',
  String.raw`\frac{a}`,
  String.raw`\frac{a}{}`,
  String.raw`\left( a`,
  String.raw`a \right)`,
  String.raw`\sqrt[3`,
  String.raw`\text{a`,
  String.raw`\text{$x$}`,
  'a % b',
  '',
  '   ',
  '\\',
  'a\u202eb',
])('%s is left to its source', (tex) => {
  expect(formulaText(tex)).toBeUndefined();
});

test('formulaText: servers know every command of the tables', () => {
  const unknown = (tex: string): boolean => {
    try {
      katex.renderToString(tex, {throwOnError: true, strict: 'ignore'});
      return false;
    } catch {
      return true;
    }
  };
  expect([...texSymbols.keys()].filter((name) => unknown(`\\${name}`))).toEqual([]);
  expect([...texAccents.keys()].filter((name) => unknown(`\\${name}{x}`))).toEqual([]);
  expect([...texSpaces.keys()].filter((name) => unknown(`a\\${name} b`))).toEqual([]);
  expect([...functionNames].filter((name) => unknown(`\\${name} x`))).toEqual([]);
});

test('formulaText: simple symbols equal those of the server, with listed exceptions', () => {
  const different: string[] = [];
  for (const [name, {text}] of texSymbols) {
    const html = katex.renderToString(`\\${name}`, {output: 'mathml', strict: 'ignore'});
    const inner = /<m(?:i|o|n|text)[^>]*>([^<]*)<\/m/.exec(html)?.[1] ?? '';
    const rendered = inner
      .replace('&lt;', '<')
      .replace('&gt;', '>')
      .replace('&amp;', '&')
      .replaceAll(/[\ufe00-\ufe0f\u2061]/g, '');
    if (rendered !== text) different.push(`${name} ${text} ${rendered}`);
  }
  // Bars, dots and letters that look the same, are in more fonts, or consist of several characters on the server.
  const exceptions = 'N R Z vert Vert | cdot bullet ncong implies impliedby iff colon lvert lVert rvert rVert';
  expect(different.map((row) => row.split(' ')[0])).toEqual(exceptions.split(' '));
});

test('formulaText: the formulas of the Markdown cases equal the server output', () => {
  const cases = readFileSync('test/fixtures/markdown/cases.json', 'utf8');
  const formulas = [...cases.matchAll(/<mrow>((?:(?!<\/semantics>).)*?)<\/mrow><annotation[^>]*>(.*?)<\/annotation>/g)];
  expect(formulas.length).toBeGreaterThan(5);
  const compared = formulas.flatMap(([, rendered = '', tex = '']) => {
    if (/<m(?:sup|sub|frac|row|style)/.test(rendered)) return []; // Two-dimensional.
    return [[visibleText(JSON.parse(`"${tex}"`)), visibleText(rendered.replaceAll(/<[^>]*>/g, ''))] as const];
  });
  expect(compared.length).toBeGreaterThan(3);
  for (const [tex, rendered] of compared)
    expect(formulaText(tex)?.replaceAll(/\s/g, '')).toBe(rendered.replaceAll(/\s/g, ''));
});

function visibleText(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
}

test('formulaText: a formula that is too long or too deep is not converted', () => {
  expect(formulaText('x'.repeat(5000))).toBeUndefined();
  expect(formulaText(`${'{'.repeat(40)}x${'}'.repeat(40)}`)).toBeUndefined();
  expect(formulaText(`${'{'.repeat(10)}x${'}'.repeat(10)}`)).toBe('x');
});

test('formulaText: hostile input gives text without control characters, or nothing', () => {
  const parts =
    String.raw`\frac \sqrt \left( \right) { } ^ _ ' & \text{ \alpha + = \mathbb \hat \not [ ] , \\ \begin{x} \, %`.split(
      ' ',
    );
  fc.assert(
    fc.property(hostileText(parts), (tex) => {
      const text = formulaText(tex);
      if (text !== undefined) expectHarmless(text);
    }),
  );
});

test('formulaText: time is linear in the length', () => {
  for (const part of [String.raw`\frac`, '{', '^', "x'", String.raw`\left(`, 'a^{b', '1', String.raw`\text{`]) {
    expectLinearTime((length) => formulaText(part.repeat(length).slice(0, 2000)), 200);
  }
});
