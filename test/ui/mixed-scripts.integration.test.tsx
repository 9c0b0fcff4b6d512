import {expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import * as eg from '#test/support/state-builders.ts';
import {noon, timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import {Screen} from '#ui/Screen.tsx';

const contents = [
  'שלום לכולם, הפריסה של release 2.1 (גרסה יציבה) הסתיימה ב-14:30',
  'The bot said "שלום עולם" and left',
  'مرحبا بالجميع، تم نشر الإصدار 2.1 بنسبة 100%',
  '> ציטוט של משפט ארוך יותר שנמשך מעבר לשורה אחת במסכים צרים\n\nand **bold עברית** with `code קוד`',
  'สวัสดีครับ กำลังทำงาน 👍🏿 क्षत्रिय 각 👨‍👩‍👧 ❤️',
  '| שם | number |\n|---|---|\n| דנה | 12 |\n| Bo | שלוש |',
];
const users = eg.users(eg.user({id: 11, fullName: 'דנה לוי'}), eg.user({id: 12, fullName: 'Bo Wu'}));
const messages = contents.map((content, at) =>
  eg.message({id: at + 1, senderId: 11 + (at % 2), content, timestamp: noon - 600 + 60 * at}),
);

function paintedRows(size: string): readonly string[] {
  const frame = timelineFrame({messages, account: {users}});
  const {screen, display} = egFrame({size});
  const shown = {
    ...frame,
    screen: {...frame.screen, size: screen.size},
    display: {...display, bidi: 'reorder' as const},
  };
  return renderWithFrame(<Screen />, shown).texts();
}

/** The columns at which what a pattern finds in a row ends. */
function endsOf(row: string, pattern: RegExp): readonly number[] {
  return [...row.matchAll(pattern)].map(({0: found, index}) => textColumns(row.slice(0, index) + found));
}

test.each(['200x50', '80x40', '40x50'])('a page of mixed scripts keeps its edges at %s', (size) => {
  const [columns = 0] = size.split('x').map(Number);
  const rows = paintedRows(size);
  for (const row of rows) expect(textColumns(row)).toBeLessThanOrEqual(columns);
  expect(new Set(rows.slice(1).flatMap((row) => endsOf(row, /\b11:5\d/g))).size).toBe(1);
  if (columns >= 100) expect(new Set(rows.slice(1, 45).map((row) => endsOf(row, /│/g)[0])).size).toBe(1);
  const text = rows.join('\n');
  expect(text).toContain('םלוכל םולש');
  expect(text).toContain('release 2.1');
  expect(text).toContain('The bot said "םלוע םולש" and left'.slice(0, columns - 10));
  // Paragraphs that are read from the right begin at the right edge of the pane.
  const [hebrew, arabic] = [/םלוכל םולש/g, /ابحرم/g].map((start) => rows.flatMap((row) => endsOf(row, start)));
  expect(hebrew).toEqual(arabic);
});
