import {describe, expect, test} from 'vitest';
import {renderMessage} from '#content/render/render-message.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import type {Line, Span} from '#content/styled-text/line.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import {type Theme, themes} from '#theme/themes.ts';

function painted(spans: readonly Span[], depth: ColorDepth, theme: Theme = themes.default): string {
  return ansiLine({spans, width: 0}, theme.styleSheet(depth));
}

describe('colours', () => {
  const code: Span = {text: 'x', role: 'code'};
  test.each([
    ['never', 'x'],
    ['mono', '\u001b[1mx\u001b[22m'],
    ['16', '\u001b[96mx\u001b[39m'],
    ['256', '\u001b[38;5;80mx\u001b[39m'],
    ['true', '\u001b[38;2;108;199;199mx\u001b[39m'],
  ] as const)('%s', (depth, text) => {
    expect(painted([code], depth, themes.dark)).toBe(text);
  });

  test('spans of one style are written together, and each style ends with its own code', () => {
    expect(
      painted(
        [
          {...code, bold: true},
          {...code, bold: true},
          {text: 'y', role: 'text'},
        ],
        '16',
      ),
    ).toBe('\u001b[36;1mxx\u001b[39;22my');
    expect(painted([{text: 'z', role: 'quote', bold: true, italic: true, strike: true}], '16')).toBe(
      '\u001b[2;1;3;9mz\u001b[22;23;29m',
    );
  });
});

describe('clickable links', () => {
  const look = themes.default.styleSheet('never');
  function clickable(source: string, width = 80): string[] {
    const {lines, links} = renderMessage({source}, {}, {width, linkNumbers: false});
    return lines.map((line: Line) => ansiLine(line, look, {links, realmUrl: 'https://chat.example.com', id: 'm7'}));
  }
  const link = (id: string, url: string, text: string) => `\u001b]8;id=${id};${url}\u001b\\${text}\u001b]8;;\u001b\\`;

  test('the lines of a wrapped link share an id, another link has another id', () => {
    const url = 'https://example.com/one/two';
    expect(clickable(`${url} [b](https://b.org)`, 20)).toEqual([
      link('m7-0', url, 'https://example.com/'),
      `${link('m7-0', url, 'one/two')} ${link('m7-1', 'https://b.org', 'b')}`,
    ]);
  });

  test('relative links get the organization URL; only web and mail links are clickable', () => {
    expect(clickable('[a](/user_avatars/x) [b](mid:x@y) [c](mailto:c@d.org)')).toEqual([
      `${link('m7-0', 'https://chat.example.com/user_avatars/x', 'a')} b ${link('m7-2', 'mailto:c@d.org', 'c')}`,
    ]);
  });

  test('URLs are printable ASCII of limited length', () => {
    expect(clickable('[a](https://x.org/é\u001b\u009c日)')).toEqual([
      link('m7-0', 'https://x.org/%C3%A9%C2%9C%E6%97%A5', 'a'),
    ]);
    expect(clickable(`[a](https://x.org/${'y'.repeat(3000)})`)).toEqual(['a']);
  });
});
