import {expect, test} from 'vitest';
import {symbolHelpText} from '#app/help/help-texts.ts';
import {egDisplay} from '#test/support/frame-fixture.ts';

test.each(['unicode', 'ascii'] as const)('symbol help: each symbol has one meaning (%s)', (glyphs) => {
  const lines = symbolHelpText({...egDisplay, glyphs})
    .split('\n')
    .filter((line) => line !== '');
  const inLists = lines.slice(0, -1).map((line) => line.trim().split(/ {2,}/)[0]);
  expect(lines.length).toBeGreaterThan(8);
  expect(new Set(inLists).size).toBe(inLists.length);
  expect(lines.join('\n')).toContain(glyphs === 'ascii' ? '  F   ' : '  ◎   ');
  expect(lines.join('\n')).toContain(glyphs === 'ascii' ? '  (starred)   ' : '  ★   ');
});
