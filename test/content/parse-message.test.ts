import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isPlainMessage, parseMessage} from '#content/parse-message.ts';
import type {MessageToken} from '#content/tokens.ts';
import {anyText} from '#test/support/any-text.ts';
import {fewOrAll} from '#test/support/tier.ts';

function text(value: string) {
  return {type: 'text', text: value};
}

function paragraph(...children: unknown[]) {
  return {type: 'paragraph', children};
}

/** Returns the nesting of tokens as text: `ul(li(t),li(t))`. */
function shape(tokens: readonly MessageToken[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'list':
          return `${token.ordered ? 'ol' : 'ul'}(${token.items.map((item) => `li(${shape(item.children)})`)})`;
        case 'quote':
          return `quote(${shape(token.children)})`;
        case 'spoiler':
          return `spoiler(${shape(token.header)}|${shape(token.children)})`;
        case 'tight_text':
          return 't';
        case 'paragraph':
          return 'p';
        default:
          return token.type;
      }
    })
    .join(',');
}

describe('paragraphs', () => {
  test('a newline is a line break, a blank line ends the paragraph', () => {
    expect(parseMessage('a\nb\n\nc')).toEqual([
      paragraph(text('a'), {type: 'line_break'}, text('b')),
      paragraph(text('c')),
    ]);
  });

  test('a message of only white space has no tokens', () => {
    expect(parseMessage('  \n\t\n ')).toEqual([]);
  });

  test('there are no backslash escapes, no underscores for emphasis and no setext headings', () => {
    expect(parseMessage('\\*a\\* _b_')).toEqual([
      paragraph(text('\\'), {type: 'emphasis', children: [text('a\\')]}, text(' _b_')),
    ]);
    expect(shape(parseMessage('a\n==='))).toBe('p');
    expect(shape(parseMessage('a\n---'))).toBe('p,rule');
  });

  test('tildes strike only in pairs', () => {
    expect(parseMessage('~~a~~')).toEqual([paragraph({type: 'strike', children: [text('a')]})]);
    for (const plain of ['~~a~~~', '~~~a~~', '~a~'])
      expect(parseMessage(`x ${plain}`)).toEqual([paragraph(text(`x ${plain}`))]);
  });

  test('two backslashes before a code span are one, and leave it code; one makes it text', () => {
    expect(parseMessage('a\\\\`b`')).toEqual([paragraph(text('a\\'), {type: 'code_span', text: 'b'})]);
    expect(parseMessage('a\\`b`')).toEqual([paragraph(text('a\\`b`'))]);
  });

  test('raw HTML is text', () => {
    expect(parseMessage('<b>x</b>')).toEqual([paragraph(text('<b>x</b>'))]);
  });
});

describe('emphasis', () => {
  test('code takes precedence over the syntax around it', () => {
    expect(parseMessage('**a `b** c`')).toEqual([paragraph(text('**a '), {type: 'code_span', text: 'b** c'})]);
  });

  test('a star with spaces around it stays text', () => {
    expect(parseMessage('2 * 3 * 4')).toEqual([paragraph(text('2 * 3 * 4'))]);
  });

  test('bold may contain italic, but italic may not contain a caret', () => {
    expect(parseMessage('**a *b* c**')).toEqual([
      paragraph({
        type: 'strong',
        children: [text('a '), {type: 'emphasis', children: [text('b')]}, text(' c')],
      }),
    ]);
    expect(parseMessage('*a^b*')).toEqual([paragraph(text('*a^b*'))]);
  });
});

test('the address of a link may start with a parenthesis', () => {
  expect(parseMessage('[a]((b)/c)')).toMatchObject([{children: [{type: 'link', href: 'http://(b)/c'}]}]);
});

describe('lists', () => {
  test('a list may follow a line of text', () => {
    expect(shape(parseMessage('a\n* b\n* c'))).toBe('p,ul(li(t),li(t))');
  });

  test('two spaces of indentation nest an item', () => {
    expect(shape(parseMessage('* a\n  * b\n* c'))).toBe('ul(li(t,ul(li(t))),li(t))');
  });

  test('numbers and bullets are separate lists', () => {
    expect(shape(parseMessage('* a\n1. b'))).toBe('ul(li(t)),ol(li(t))');
  });

  test('a blank line between items turns them into paragraphs', () => {
    expect(shape(parseMessage('* a\n\n* b'))).toBe('ul(li(p),li(p))');
  });

  test('numbering starts at the first number', () => {
    expect(parseMessage('7. a\n9. b')).toMatchObject([{type: 'list', ordered: true, start: 7}]);
  });

  test('indented text after a blank line belongs to the item', () => {
    expect(shape(parseMessage('* a\n\n  b'))).toBe('ul(li(p,p))');
  });
});

describe('quotes', () => {
  test('lines without a mark continue a quote, a blank line ends it', () => {
    expect(shape(parseMessage('> a\nb\n\n> c\n\nd'))).toBe('quote(p),quote(p),p');
  });

  test('quote marks without text stay text', () => {
    expect(shape(parseMessage('>\n>'))).toBe('p');
  });

  test('a message may have more quotes one after the other than levels', () => {
    expect(shape(parseMessage('> a\n\nb\n\n'.repeat(30)))).toBe(Array(30).fill('quote(p),p').join());
  });

  test('a fence quotes Markdown', () => {
    expect(shape(parseMessage('```quote\n* a\n\n~~~\ncode\n~~~\n```'))).toBe('quote(ul(li(t)),code_block)');
  });
});

describe('fences', () => {
  test('only a fence of the same length closes a block', () => {
    expect(parseMessage('````\n```\nx\n```\n````')).toEqual([
      {type: 'code_block', language: undefined, text: '```\nx\n```'},
    ]);
  });

  test('an unclosed fence runs to the end', () => {
    expect(parseMessage('```js\nx')).toEqual([{type: 'code_block', language: 'js', text: 'x'}]);
  });

  test('an empty fenced block is dropped', () => {
    expect(parseMessage('a\n```\n```\nb')).toEqual([paragraph(text('a'), {type: 'line_break'}, text('b'))]);
  });

  test('the default language applies to a fence without a language', () => {
    expect(parseMessage('```\nx\n```', {defaultCodeLanguage: 'python'})).toMatchObject([{language: 'python'}]);
  });

  test('a spoiler has a header and content, and may nest', () => {
    expect(shape(parseMessage('````spoiler *why*\na\n```spoiler\nb\n```\n````\nc'))).toBe('spoiler(p|p,spoiler(|p)),p');
  });

  test('Markdown in math stays text', () => {
    expect(parseMessage('```math\n*a*\n```')).toEqual([{type: 'math_block', tex: '*a*'}]);
  });
});

describe('symbols', () => {
  test('times are ISO 8601, in UTC', () => {
    expect(parseMessage('<time:2020-02-29T12:00+02:00>')).toMatchObject([
      {children: [{type: 'time', datetime: '2020-02-29T10:00:00Z'}]},
    ]);
    for (const bad of ['2021-02-29', 'tomorrow', '1600000000', '2020-01-01T25:00']) {
      expect(parseMessage(`<time:${bad}>`)).toEqual([paragraph(text(`<time:${bad}>`))]);
    }
  });

  test('emoticons are translated only with the setting', () => {
    expect(parseMessage('a :)')).toEqual([paragraph(text('a :)'))]);
    expect(parseMessage('a :)', {translateEmoticons: true})).toMatchObject([
      {children: [text('a '), {type: 'emoji', name: 'slight_smile'}]},
    ]);
  });

  test('character references are decoded', () => {
    expect(parseMessage('&lt;b&#62;')).toMatchObject([
      {children: [{type: 'entity', text: '<'}, text('b'), {type: 'entity', text: '>'}]},
    ]);
  });

  test('letters and digits with emoji variants stay text', () => {
    expect(parseMessage('1 © ↔ #')).toEqual([paragraph(text('1 © ↔ #'))]);
  });
});

describe('any input', () => {
  const soup = fc
    .array(
      fc.constantFrom(
        ...'* |** |`|```|~~~ quote|> |>|- |1. |  |    |\n|\n\n|[|](|)|![|<time:|$$|:a:|@**|#**|a.com|http://|\\||---|# |\u0002|\u0003|é|👍|x'.split(
          /(?<!\\)\|/,
        ),
        '|',
      ),
      {maxLength: 60},
    )
    .map((parts) => parts.join(''));

  test('never throws and leaves no internal marks', () => {
    fc.assert(
      fc.property(fc.oneof(soup, anyText()), (source) => {
        expect(JSON.stringify(parseMessage(source))).not.toMatch(/\\u000[23]/);
      }),
      {numRuns: fewOrAll(200, 3000)},
    );
  });

  test('the fast path for one paragraph gives the same tokens as the block parser', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({maxLength: 20})), (source) => {
        // A blank line at the end changes nothing, but needs the block parser.
        expect(parseMessage(source)).toEqual(parseMessage(`${source}\n\n`));
        if (isPlainMessage(source)) {
          expect(parseMessage(source)).toEqual([{type: 'paragraph', children: [{type: 'text', text: source}]}]);
        }
      }),
      {numRuns: fewOrAll(300, 3000)},
    );
  });

  test('nesting beyond the depth limit becomes text', () => {
    for (const mark of ['>', '> ', '* ', '- ', '1. ', '[', '**']) {
      const depth = JSON.stringify(parseMessage(mark.repeat(3000))).match(/\[/g)?.length ?? 0;
      expect(depth).toBeLessThan(5000);
    }
    expect(() => parseMessage('```quote\n'.repeat(2000))).not.toThrow();
  });
});
