/** Measures a key press in a long text: the edit, the layout, the cursor position and the visible rows. */
import {
  backspace,
  emptyField,
  insert,
  killWordBack,
  moveTo,
  moveUp,
  moveWordLeft,
  setText,
  type TextField,
  undo,
  yank,
} from '#ui/text/text-field.ts';
import {layoutText, positionOf, rowText, scrolledTopRow, type TextLayout} from '#ui/text/text-layout.ts';
import {ms, printTable, summary} from './table.ts';

const width = 80;
const size = 10_000;
const keys = 400;
const fill = (piece: string): string =>
  piece
    .repeat(Math.ceil(size / piece.length))
    .slice(0, size)
    .toWellFormed();

const texts: readonly (readonly [string, string])[] = [
  [
    'paragraphs',
    fill('It was a dark and stormy night.\n\nThe rain fell in torrents, and the wind swept the streets.\n'),
  ],
  ['one line', fill('It was a dark and stormy night, and the rain fell in torrents. ')],
  ['one word', fill('x')],
  ['empty lines', fill('\n')],
  ['tabs', fill('\treturn x;\n')],
  ['Japanese', fill('これは日本語のメッセージです。')],
  ['Persian', fill('می‌خواهم ')],
  ['emoji', fill('👩‍💻👍🏽🇩🇪')],
  ['combining', fill('e\u0301o\u0308')],
  ['Devanagari', fill('क्षत्रिय नमस्ते ')],
  ['control characters', fill('\u001b[31m')],
];

const edits: readonly (readonly [string, (field: TextField, layout: TextLayout) => TextField])[] = [
  ['letter', (field) => insert(field, 'x')],
  ['wide letter', (field) => insert(field, '語')],
  ['backspace', (field) => backspace(field)],
  ['word left', (field) => moveWordLeft(field)],
  ['up', (field, layout) => moveUp(field, layout)],
  ['cut, put back', (field) => yank(killWordBack(field))],
  ['undo', (field) => undo(insert(field, 'x y'))],
];

/** Does the work of the composer for one key press. */
function layoutVisibleRows(field: TextField, before: TextLayout): TextLayout {
  const layout = layoutText(field.text, width, before);
  const top = scrolledTopRow(layout, positionOf(layout, field.cursor).row, 20, 0);
  for (const row of layout.rows.slice(top, top + 20)) rowText(row);
  return layout;
}

function samples(text: string, edit: (field: TextField, layout: TextLayout) => TextField): number[] {
  let field = moveTo(setText(emptyField, text), text.length / 2);
  let layout = layoutText(text, width);
  return Array.from({length: keys}, () => {
    const start = performance.now();
    field = edit(field, layout);
    layout = layoutVisibleRows(field, layout);
    return performance.now() - start;
  });
}

for (const [name, edit] of edits) {
  printTable(
    `${name}, in ${size} characters`,
    ['of', 'best', 'p50', 'p99'],
    texts.map(([kind, text]) => {
      const times = samples(text, edit);
      const {p50, p99} = summary(times);
      return [kind, micros(Math.min(...times)), micros(p50), micros(p99)];
    }),
  );
}
printTable(
  'First layout of the whole text',
  ['of', 'at once'],
  texts.map(([kind, text]) => {
    const start = performance.now();
    layoutText(text, width - 1);
    return [kind, ms(performance.now() - start)];
  }),
);

function micros(value: number): string {
  return `${(value * 1000).toFixed(0)} µs`;
}
