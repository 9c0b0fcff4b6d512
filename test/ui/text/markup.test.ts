import {describe, expect, test} from 'vitest';
import {type MarkupKind, withMarkup} from '#ui/text/markup.ts';
import {emptyField, moveTo, setText, type TextField, undo} from '#ui/text/text-field.ts';

function at(text: string): TextField {
  return moveTo(setText(emptyField, text.replace('|', '')), text.indexOf('|'));
}

function shown({text, cursor}: TextField): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('markup', () => {
  test.each<[MarkupKind, string, string]>([
    ['bold', 'a word|', 'a **word**|'],
    ['bold', 'a wo|rd b', 'a **wo|rd** b'],
    ['bold', 'a |', 'a **|**'],
    ['bold', '**|**', '|'],
    ['bold', '**wo|rd**', 'wo|rd'],
    ['bold', '*word|*', '***word**|*'],
    ['bold', '***word|***', '*word|*'],
    ['italic', 'word|', '*word*|'],
    ['italic', '**word|**', '***word*|**'],
    ['italic', '***word|***', '**word|**'],
    ['italic', '', '*|*'],
    ['code', 'see src/app.ts|.', 'see `src/app.ts`|.'],
    ['code', 'run a-b|, then', 'run `a-b`|, then'],
    ['code', '`word|`', 'word|'],
    ['code', '|', '`|`'],
    ['link', 'the docs|', 'the [docs](|)'],
    ['link', 'https://a.example/x|', '[|](https://a.example/x)'],
    ['link', '|', '[|]()'],
    ['quote', '|', '```quote\n|\n```'],
    ['quote', 'above\n\none\ntw|o\n\nbelow', 'above\n\n```quote\none\ntw|o\n```\n\nbelow'],
    ['fence', 'let x|', '```\nlet x|\n```'],
    ['fence', '```\nx|\n```', '````\n```\nx|\n```\n````'],
  ])('%s of %j is %j', (kind, before, after) => {
    expect(shown(withMarkup(at(before), kind))).toBe(after);
  });

  test('is one undo step', () => {
    expect(shown(undo(withMarkup(at('a wo|rd'), 'bold')))).toBe('a wo|rd');
  });
});
