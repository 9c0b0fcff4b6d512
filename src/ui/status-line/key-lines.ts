import {textColumns} from '#content/styled-text/text-width.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import type {KeyHint} from '#ui/core/key-guide.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {columnsLine, fittedLine, type LineColumn, rule} from '#ui/layout/ui-line.ts';

const maxCellColumns = 34;
const keyColumns = 3;

type KeyContinuations = NonNullable<ReturnType<typeof keyContinuations>>;

/** Selects the keys that can follow the pressed ones, and where they are shown: above the last row. */
export function keyContinuations({screen, info}: Frame) {
  const hints = screen.isPrefixShown ? (info.keys?.continuations(screen) ?? []) : [];
  if (hints.length === 0) return undefined;
  const {columns, rows: screenRows} = screen.size;
  const statusRows = screenRows < 16 ? 0 : 1;
  const rows = gridOf(hints, columns, screenRows - statusRows - 1).down + 1;
  const rect: Rect = {x: 0, y: screenRows - statusRows - rows, columns, rows};
  return {pressed: screen.prefix, hints, rect};
}

export function keyLines({pressed, hints, rect}: KeyContinuations, display: DisplayOptions): readonly PaneLine[] {
  const {across, down, width} = gridOf(hints, rect.columns, rect.rows - 1);
  const {ellipsis} = uiGlyphs(display);
  const glyph = display.glyphs === 'ascii' ? '-' : '─';
  const title = rule(rect.columns, {label: [{text: `${pressed.join(' ')} ${ellipsis}`, role: 'title'}], glyph});
  const lines = Array.from({length: down}, (_, y) => {
    const cells = Array.from({length: across}, (_unused, x) => hints[x * down + y]).flatMap((hint) =>
      hint === undefined ? [] : cellsOf(hint, width),
    );
    return fittedLine(
      [{text: '  ', role: 'text'}, ...columnsLine(cells, rect.columns - 2, {ellipsis}).spans],
      rect.columns,
    );
  });
  return [title, ...lines];
}

/** Arranges the hints in a grid, read downwards, then across. */
function gridOf(hints: readonly KeyHint[], columnsWide: number, maxRows: number) {
  const widest = Math.max(...hints.map(({label}) => textColumns(label))) + keyColumns + 3;
  const minCellColumns = Math.min(Math.max(widest, 16), maxCellColumns);
  const maxAcross = Math.max(1, Math.floor((columnsWide - 2) / minCellColumns));
  // On a low screen labels are truncated before keys are dropped.
  const across = Math.ceil(hints.length / Math.max(1, Math.min(maxRows, Math.ceil(hints.length / maxAcross))));
  const down = Math.ceil(hints.length / across);
  // Spare columns widen labels that would be truncated.
  return {across, down, width: Math.min(Math.max(widest, 16), Math.floor((columnsWide - 2) / across))};
}

function cellsOf({key, label}: KeyHint, width: number): readonly LineColumn[] {
  return [
    {text: key, role: 'key', width: keyColumns},
    {text: label, role: 'text', width: width - keyColumns - 2},
  ];
}
