import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isInsideFence} from '#ui/text/markup.ts';
import {droppedPaths, fenced, pasteSize, pathReadings, safePastedText} from '#ui/text/paste.ts';
import {anyText} from './random-text.ts';

describe('pasted text', () => {
  test.each([
    ['one line\n', 'one line'],
    ['one line \r\n\r\n', 'one line '],
    ['\n', ''],
    ['a\r\nb\rc\n', 'a\nb\nc\n'],
    ['\ttabs\tstay', '\ttabs\tstay'],
    ['\u001b[31mred\u0007 \u202eturned', '[31mred turned'],
    ['  indented', '  indented'],
  ])('%j becomes %j', (pasted, expected) => {
    expect(safePastedText(pasted)).toBe(expected);
  });

  test('is stable when pasted again, and contains no control characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = safePastedText(text);
        expect(safePastedText(once)).toBe(once);
        expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });

  test('is large beyond eight lines or two kilobytes', () => {
    expect(pasteSize('a\nb\n')).toEqual({lines: 2, bytes: 4, isLarge: false});
    expect(pasteSize('x\n'.repeat(8)).isLarge).toBe(false);
    expect(pasteSize('x\n'.repeat(9)).isLarge).toBe(true);
    expect(pasteSize('é'.repeat(1001))).toEqual({lines: 1, bytes: 2002, isLarge: true});
  });

  test('cannot end the fence around it', () => {
    expect(fenced('x\n')).toBe('```\nx\n```');
    expect(fenced('```\nx\n```', 'md')).toBe('````md\n```\nx\n```\n````');
    fc.assert(
      fc.property(anyText, (text) => {
        const block = fenced(text);
        expect(isInsideFence(block, block.length)).toBe(false);
        expect(isInsideFence(block, block.lastIndexOf('\n'))).toBe(true);
      }),
    );
  });
});

describe('dropped files', () => {
  const files = new Set(['/tmp/a b.png', "/tmp/it's.txt", '/tmp/c.png', '/tmp/ä.png', '/tmp/q"x']);
  const exists = (path: string): boolean => files.has(path);

  test.each([
    ['/tmp/c.png', ['/tmp/c.png']],
    [' /tmp/c.png\n', ['/tmp/c.png']],
    ['/tmp/a\\ b.png ', ['/tmp/a b.png']],
    ["'/tmp/a b.png'", ['/tmp/a b.png']],
    ["'/tmp/it'\\''s.txt'", ["/tmp/it's.txt"]],
    ['"/tmp/a b.png"', ['/tmp/a b.png']],
    ['"/tmp/q\\"x"', ['/tmp/q"x']],
    ['/tmp/a b.png', ['/tmp/a b.png']],
    ["/tmp/it's.txt", ["/tmp/it's.txt"]],
    ['file:///tmp/a%20b.png', ['/tmp/a b.png']],
    ['file://localhost/tmp/%C3%A4.png', ['/tmp/ä.png']],
    ["'/tmp/a b.png' /tmp/c.png", ['/tmp/a b.png', '/tmp/c.png']],
    ['file:///tmp/c.png\nfile:///tmp/a%20b.png', ['/tmp/c.png', '/tmp/a b.png']],
    ['/tmp/missing.png', undefined],
    ["'/tmp/c.png' /tmp/missing", undefined],
    ['file://elsewhere/tmp/c.png', undefined],
    ['file:///tmp/%zz', undefined],
    ['see /tmp/c.png', undefined],
    ['/poll Lunch?', undefined],
    ['', undefined],
  ])('%j is %j', (text, paths) => {
    expect(droppedPaths(text, exists)).toEqual(paths);
  });

  test('ordinary text has no path readings', () => {
    for (const text of ['hello', 'a/b', 'http://a.example', '~/x', `/${'x'.repeat(30_000)}`]) {
      expect(pathReadings(text)).toEqual([]);
    }
  });
});
