import {expect, test} from 'vitest';
import type {CardState} from '#app/core/overlay.ts';
import {helpEntries, openHelpText, symbolHelpText} from '#app/help/help-texts.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {egDisplay, textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

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

test('help pages: no line is cut at 80 and 40 columns', () => {
  const {app} = appFixture({session: unstartedSession(eg.state(), new ManualClock())});
  for (const {id} of helpEntries) {
    openHelpText(app, id);
    const {card} = app.screen.overlays.at(-1) as CardState;
    const words = (width: number) => textOf(card.lines(app.frame, width)).join(' ').split(/\s+/).join(' ');
    expect(words(36)).toBe(words(1000));
    expect(words(74)).toBe(words(1000));
    for (const {width} of card.lines(app.frame, 36)) expect(width).toBeLessThanOrEqual(36);
  }
});
