import {describe, expect, test} from 'vitest';
import {renderMarkdown} from '#server/markdown/render.ts';
import {renderCaseContext} from '#test/server/markdown/render-case-context.ts';
import {clientLines, htmlLines} from './html-lines.ts';
import {areLinesEqual, compared, indexesOf, printDifferences, printShares} from './recorded-pairs.ts';

/**
 * Compares both renderings of Markdown (HTML by the embedded server, lines by the client) with the HTML of a Zulip server: of
 * the cases below, of recorded messages, and of a file named by PARLEY_RENDER_PAIRS, for which it prints how much is equal
 * (and, with PARLEY_RENDER_DIFFERENCES=1, what is not).
 */

const context = {
  ...renderCaseContext(),
  previewImages: false,
  uploadKind: (path: string) =>
    path.endsWith('/missing.png') ? undefined : path.endsWith('.png') ? ('image' as const) : ('file' as const),
};

const cases: Readonly<Record<string, readonly (readonly [markdown: string, html: string])[]>> = {
  'file names ending in md, java, mov, py and zip are links only with a scheme': [
    ['See notes.md, App.java, a.mov, run.py or all.zip', '<p>See notes.md, App.java, a.mov, run.py or all.zip</p>'],
    ['https://e.org/notes.md', '<p><a href="https://e.org/notes.md">https://e.org/notes.md</a></p>'],
  ],
  'the text of a heading may begin in the next line': [['#\nPlan', '<h1>Plan</h1>']],
  'what is not a time stays as it was typed': [
    ['<time:a\nb>', '<p>&lt;time:a<br>\nb&gt;</p>'],
    ['<time:**b**>', '<p>&lt;time:**b**&gt;</p>'],
    ['<time::smile:>', '<p>&lt;time::smile:&gt;</p>'],
    ['<time:2026-01-01 >', '<p>&lt;time:2026-01-01 &gt;</p>'],
  ],
  'an address without a scheme that names a host is one of the web': [
    ['[x](//a.example)', '<p><a href="http://a.example">x</a></p>'],
  ],
  'an address whose host has a single bracket is empty': [
    ['[x](https://a])', '<p><a href="">x</a></p>'],
    ['[x](https://[::1]:80/a])', '<p><a href="https://[::1]:80/a]">x</a></p>'],
  ],
  'the address and the title of a link have code without its backticks': [
    ['[x](https://e.org/`a`)', '<p><a href="https://e.org/a">x</a></p>'],
    ['[x](https://e.org "`a`")', '<p><a href="https://e.org" title="a">x</a></p>'],
  ],
  'two backslashes before backticks are one, and a third keeps them as they are': [
    ['a\\\\`b`', '<p>a\\<code>b</code></p>'],
    ['a\\\\\\\\`b` \\\\ c', '<p>a\\\\<code>b</code> \\\\ c</p>'],
    ['a\\\\\\`b`', '<p>a\\\\\\`b`</p>'],
  ],
  'a mention with the id of a person and another name is text': [['@**Wrong|7**', '<p>@<strong>Wrong|7</strong></p>']],
  'a tab stop counts code points': [['𝒳\t|', '<p>𝒳   |</p>']],
  'an image of another site is text with a link in it': [
    ['![plan](https://e.org/p.png)', '<p>![plan](<a href="https://e.org/p.png">https://e.org/p.png</a>)</p>'],
  ],
  'an upload that does not exist stays text, and so does an empty image': [
    ['![x](/user_uploads/2/ab/missing.png)', '<p>![x](/user_uploads/2/ab/missing.png)</p>'],
    ['![]()', '<p>![]()</p>'],
  ],
  'an upload that is no image is a link': [
    ['![plan](/user_uploads/2/ab/plan.pdf)', '<p><a href="/user_uploads/2/ab/plan.pdf">plan</a></p>'],
  ],
  'a link to an upload has its own text, or else its address': [
    ['[http://e.org](/user_uploads/2/ab/a.txt)', '<p><a href="/user_uploads/2/ab/a.txt">http://e.org</a></p>'],
    ['[`c`](/user_uploads/2/ab/a.txt)', '<p><a href="/user_uploads/2/ab/a.txt"><code>c</code></a></p>'],
    ['[](/user_uploads/2/ab/a.txt)', '<p><a href="/user_uploads/2/ab/a.txt">/user_uploads/2/ab/a.txt</a></p>'],
  ],
  'character references in the target and the text of a link are decoded': [
    ['[a &lt; b](https://e.org/?a=1&amp;b=2)', '<p><a href="https://e.org/?a=1&amp;b=2">a &lt; b</a></p>'],
    ['https://e.org/?a=1&amp;b=2', '<p><a href="https://e.org/?a=1&amp;b=2">https://e.org/?a=1&amp;b=2</a></p>'],
  ],
  'a URL at the end of styled text is a link if another element is before it': [
    [
      '**see `x` https://e.org** **https://e.org**',
      '<p><strong>see <code>x</code> <a href="https://e.org">https://e.org</a></strong> <strong>https://e.org</strong></p>',
    ],
  ],
  'a linkifier matches in styled text inside other styled text': [
    [
      '*see **#123*** **#123**',
      '<p><em>see <strong><a href="https://trac.example.com/ticket/123">#123</a></strong></em> <strong>#123</strong></p>',
    ],
  ],
  'a linkifier matches in styled text of an item with a nested list': [
    [
      '* *#123*\n  * *#456*',
      '<ul>\n<li><em><a href="https://trac.example.com/ticket/123">#123</a></em><ul>\n<li><em>#456</em></li>\n</ul>\n</li>\n</ul>',
    ],
  ],
  'a quote that ends with an empty line has no line for it': [
    ['> Agreed.\n>', '<blockquote>\n<p>Agreed.<br>\n</p>\n</blockquote>'],
    [
      '```quote\n```sh\nls\n```\n```',
      '<blockquote>\n<p><div class="codehilite" data-code-language="Bash"><pre><span></span><code>ls\n</code></pre></div><br>\n</p>\n</blockquote>',
    ],
  ],
  'a spoiler that ends a quote ends in a paragraph': [
    [
      '```quote\n```spoiler\na\n```\n```',
      '<blockquote>\n<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>a</p>\n<p></div></div><br>\n</p>\n</blockquote>',
    ],
  ],
  'a line break in the text of a link is a space, but a line break between two elements': [
    ['[two\nlines](https://e.org)', '<p><a href="https://e.org">two\nlines</a></p>'],
    ['[a `x`\nb `y` c](https://e.org)', '<p><a href="https://e.org">a <code>x</code><br>\nb <code>y</code> c</a></p>'],
  ],
  'emphasis nests, inner stars first': [
    ['*can *the**', '<p><em>can <em>the</em></em></p>'],
    ['***a ***b*** c***', '<p><strong><em>a <strong><em>b</em></strong> c</em></strong></p>'],
    ['**a*', '<p>*<em>a</em></p>'],
  ],
  'a mention resolves only if it stands freely somewhere in the source': [
    ['>@**Zoe** @**Zoes**', '<blockquote>\n<p>@<strong>Zoe</strong> @_<strong>Zoes</strong></p>\n</blockquote>'],
    ['> @**Zoe**', '<blockquote>\n<p><span class="user-mention silent" data-user-id="7">Zoe</span></p>\n</blockquote>'],
    [
      '>#**Rome**\n\n#**Rome**',
      '<blockquote>\n<p><a class="stream" data-stream-id="5" href="/#narrow/channel/5-Rome">#Rome</a></p>\n</blockquote>\n<p><a class="stream" data-stream-id="5" href="/#narrow/channel/5-Rome">#Rome</a></p>',
    ],
  ],
  'mentions in code inside a quote are written silently': [
    ['> `to @**Zoe**`', '<blockquote>\n<p><code>to @_**Zoe**</code></p>\n</blockquote>'],
  ],
  'code in the name of a linked topic is code': [
    [
      '#**Rome>a `b` c**',
      '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-Rome/topic/a.20.60b.60.20c">#Rome &gt; a <code>b</code> c</a></p>',
    ],
  ],
  'the names of groups respect case': [
    ['@*Hamletcharacters*', '<p>@<em>Hamletcharacters</em></p>'],
    ['@*hamletcharacters*', '<p><span class="user-group-mention" data-user-group-id="1">@hamletcharacters</span></p>'],
  ],
  'a heading keeps a hash after a backslash, and does not end with a backslash': [
    ['# C\\#', '<h1>C\\#</h1>'],
    ['# a\\\nb', '<p># a\\<br>\nb</p>'],
  ],
  'an empty query or fragment is removed from a link': [
    [
      'https://e.org/a? [b](https://e.org/b?#)',
      '<p><a href="https://e.org/a">https://e.org/a</a>? <a href="https://e.org/b">b</a></p>',
    ],
  ],
};

describe('the renderings of a message equal the HTML of a Zulip server', () => {
  for (const [name, pairs] of Object.entries(cases)) {
    test(name, () => {
      for (const [markdown, html] of pairs) {
        expect(renderMarkdown(markdown, context).html).toBe(html);
        expect(clientLines(markdown, context)).toEqual(htmlLines(html));
      }
    });
  }

  test('a different style, target or line is noticed', () => {
    const lines = (html: string) => htmlLines(html).join('\n');
    expect(lines('<p>a <strong>b</strong></p>')).not.toBe(lines('<p>a <em>b</em></p>'));
    expect(lines('<p><a href="https://e.org/1">a</a></p>')).not.toBe(lines('<p><a href="https://e.org/2">a</a></p>'));
    expect(lines('<p>a<br>\nb</p>')).not.toBe(lines('<p>a b</p>'));
    expect(lines('<blockquote>\n<p>a</p>\n</blockquote>')).not.toBe(lines('<p>a</p>'));
  });
});

/**
 * The messages of the fixture whose HTML or lines differ, by index. A message that is equal must be removed. Most contain a link
 * to a topic with code in its name: a Zulip server writes internal marks into its address, so that it leads nowhere.
 */
const known = {
  html: [82, 100, 133, 134, 142, 201, 221],
  lines: [82, 100, 116, 134, 140, 142, 166, 168, 201, 210, 221, 258],
};

test('recorded messages: the server renders the HTML of a Zulip server, and the client shows its lines', () => {
  const pairs = compared(new URL('../../fixtures/markdown/recorded-pairs.json.gz', import.meta.url));
  expect(pairs.length).toBeGreaterThan(250);
  expect({
    html: indexesOf(pairs, ({html, ours}) => ours !== html),
    lines: indexesOf(pairs, (pair) => !areLinesEqual(pair)),
  }).toEqual(known);
});

const pairsFile = process.env.PARLEY_RENDER_PAIRS;

test.runIf(pairsFile !== undefined)('pairs of a file: the share of equal lines and equal HTML', () => {
  const pairs = compared(pairsFile ?? '');
  if (process.env.PARLEY_RENDER_DIFFERENCES !== undefined) printDifferences(pairs);
  printShares(pairs);
  expect(pairs.length).toBeGreaterThan(0);
});
