import {expect, test} from 'vitest';
import {graphemeWidths, textColumns} from '#content/styled-text/text-width.ts';
import {shownCells} from '#ui/text/text-layout.ts';

test.each(['\u200c', '\u200d', '\ufe0f', '\u034f'])(
  'shown cells: half flags separated by an invisible character do not join',
  (between) => {
    const line = `🇩${between}🇪`;
    const cells = shownCells(line, graphemeWidths(line).ends, 20);
    expect(cells).toHaveLength(2);
    expect(textColumns(cells.join(''))).toBe(4);
  },
);
