import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {codeHtml} from '#server/markdown/code-html.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import {fewOrAll} from '#test/support/tier.ts';

type Case = {language: string; code: string; tokens: string};

const cases: Case[] = JSON.parse(
  readFileSync(new URL('../../fixtures/markdown/highlighted-code.json', import.meta.url), 'utf8'),
);
const languages = [...new Set(cases.map(({language}) => language))];

function decoded(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function visibleText(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ''));
}

/** Returns `class‹text›` for each element. */
function marked(html: string): string {
  return decoded(html.replace(/<span class="([^"]*)">([^<]*)<\/span>/g, '$1‹$2›'));
}

test.each(cases)('highlighting: $language has the classes of a Zulip server: $code', ({language, code, tokens}) => {
  expect(marked(codeHtml(language, code))).toBe(tokens);
});

test('highlighting: any code keeps its text in every language', () => {
  const piece = fc.oneof(
    fc.constantFrom(...cases.flatMap(({code}) => code.match(/\w+|\s+|[^\w\s]+/g) ?? [])),
    fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '/*',
      '"""',
      '<<A\n',
      '#{',
      '${',
      '%(',
      '=begin\n',
      '\n',
      'é',
      '👍🏽',
      'z\u0335',
      '“',
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...languages), fc.array(piece, {maxLength: 40}), (language, pieces) => {
      const code = pieces.join('');
      expect(visibleText(codeHtml(language, code))).toBe(`${code}\n`);
    }),
    {numRuns: fewOrAll(150, 600)},
  );
});

test('highlighting: long code, long lines and unknown languages are shown without it', () => {
  expect(codeHtml('Python', '1')).toContain('<span');
  for (const code of ['1\n'.repeat(6000), '1\n'.repeat(501), '1'.repeat(501)])
    expect(codeHtml('Python', code)).toBe(`${code}\n`);
  expect(codeHtml('nosuchlang', 'if a < b')).toBe('if a &lt; b\n');
});

test('highlighting: code without a language may name it in its first line', () => {
  expect(renderMarkdown('```\n#!/bin/bash\necho 1\n```').html).toBe(
    '<div class="codehilite"><pre><span></span><code><span class="ch">#!/bin/bash</span>\n' +
      '<span class="nb">echo</span><span class="w"> </span><span class="m">1</span>\n</code></pre></div>',
  );
});
