import {expect, test} from 'vitest';
import {legendSections} from '#app/help/help-texts.ts';
import {egDisplay, textOf} from '#test/support/frame-fixture.ts';
import {overlayLines} from '#test/support/part-lines.ts';
import {listAccount, listFixture} from '#test/ui/lists/list-fixture.ts';
import {messageGlyphs} from '#ui/message-pane/lines/typeset.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

test.each(['unicode', 'ascii'] as const)(
  'legend: each mark of a section has one meaning, and none is missing (%s)',
  (glyphs) => {
    const display = {...egDisplay, glyphs};
    const marks = legendSections({display, account: listAccount()}).map(({rows}) =>
      rows.map(([mark, about]) => [mark.map(({text, role}) => `${text} ${role}`).join(), about] as const),
    );
    for (const rows of marks) {
      expect(new Set(rows.map(([mark]) => mark)).size).toBe(rows.length);
      for (const [mark, about] of rows) expect([mark, about]).not.toContain('');
    }
    const shown = marks.flat().join('\n');
    const {followed, resolved, draft, snoozed, online, idle, offline, bar, marked, folded} = uiGlyphs(display);
    const {star, dot, next} = messageGlyphs(display);
    for (const glyph of [
      followed,
      resolved,
      draft,
      snoozed,
      online,
      idle,
      offline,
      bar,
      marked,
      folded,
      star,
      dot,
      next,
    ])
      expect(shown).toContain(`${glyph} `);
  },
);

test.each(['120x40', '80x24', '40x15'])('legend: ? opens it from the key help, and it fits %s', (size) => {
  const {app, press} = listFixture({size});
  press('?', '?');
  const [columns = 0] = size.split('x').map(Number);
  const lines = overlayLines(app.frame);
  for (const {width} of lines) expect(width).toBeLessThanOrEqual(columns);
  expect(textOf(lines).join('\n')).toMatch(/Marks and colours.*@1 4 +4 unread messages/s);
  press('Esc');
  expect(textOf(overlayLines(app.frame)).join('\n')).toContain('Type an action or a key');
});
