import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {DisplayOptions, Frame, PaneLine} from '#ui/core/frame.ts';
import type {KeyEffects, PickerRow, PickerState} from '#ui/core/overlay.ts';
import type {CursorPosition, SelectedRows} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, paddedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {TextField} from '#ui/text/text-field.ts';
import {lineWindow} from '#ui/text/text-layout.ts';
import {
  boxEdge,
  boxedLine,
  boxedRow,
  boxLines,
  type OverlayGlyphs,
  type OverlayLayout,
  overlayGlyphs,
  overlayLayout,
  pickerRowLine,
  scrollTopFor,
} from './overlay-box.ts';
import {canChoose, choosableIndex, emptyPickerText, openedPicker, pickerRows} from './picker-rows.ts';

type PickerContent = NonNullable<ReturnType<typeof pickerContent>>;

/** Selects the open picker: the rows around its cursor, and the texts around them. */
export function pickerContent(frame: Frame) {
  const open = openedPicker(frame);
  if (open === undefined) return undefined;
  const {picker, field} = open;
  const {rows, layout, cursor, top} = scrolledPicker(frame, open);
  // A hint that changes with the row would be spoken with each row.
  const ofRow = frame.display.glyphs === 'words' ? undefined : picker.hintForRow?.(frame, rows[cursor]);
  const written = ofRow ?? picker.hintFor?.(field.text) ?? picker.hint;
  return {
    layout,
    title: picker.titleFor?.(field.text) ?? picker.title,
    position: rows.length > layout.shownRows ? positionText(rows, cursor) : '',
    hint: canChoose(rows, open.cursor) ? written : withoutChoosing(written),
    query: {
      text: field.text,
      cursor: field.cursor,
      isSelected: field.last === 'selecting',
      placeholder: picker.placeholder ?? '',
    },
    rows: rows.slice(top, top + layout.shownRows),
    /** The index of the row with the cursor among those shown. */
    cursor: cursor - top,
    emptyText: emptyPickerText(frame, picker),
    help: rows[cursor]?.help ?? '',
    helpLineCount: picker.helpLines ?? 0,
  };
}

function scrolledPicker(frame: Frame, open: PickerState) {
  const rows = pickerRows(frame, open);
  const layout = overlayLayout(frame, open, rows.length);
  const cursor = choosableIndex(rows, open.cursor);
  return {rows, layout, cursor, top: scrollTopFor(open.top, Math.max(0, cursor), rows.length, layout.shownRows)};
}

/** Returns the index of the picker row painted at a cell. */
export function pickerRowAt(frame: Frame, {x, y}: CursorPosition): number | undefined {
  const open = openedPicker(frame);
  if (open === undefined) return undefined;
  const {rows, layout, top} = scrolledPicker(frame, open);
  const line = y - layout.rect.y - layout.bodyRow;
  const column = Math.floor(((x - layout.rect.x) * layout.across) / layout.rect.columns);
  const row = line + column * layout.bodyRows;
  return line >= 0 && line < layout.bodyRows && top + row < rows.length ? top + row : undefined;
}

export function pickerCursor(frame: Frame): CursorPosition | undefined {
  const open = openedPicker(frame);
  if (open === undefined || open.picker.isMenu === true) return undefined;
  const {layout} = scrolledPicker(frame, open);
  const {rect, fieldRow = 0, hasSides} = layout;
  const {prompt} = overlayGlyphs(frame.display);
  const {column} = fieldWindow(open.field, layout, prompt, frame.display);
  return {x: rect.x + (hasSides ? 1 : 0) + textColumns(prompt) + column, y: rect.y + fieldRow};
}

/** Returns the row with the cursor; the row of the text in its place where there are no rows. */
export function selectedPickerRow(frame: Frame): SelectedRows | undefined {
  const open = openedPicker(frame);
  if (open === undefined) return undefined;
  const {rows, layout, cursor, top} = scrolledPicker(frame, open);
  const {rect, hasSides, bodyRow, bodyRows, across} = layout;
  const at = Math.max(0, cursor - top);
  const left = Math.floor(at / bodyRows) * Math.floor(rect.columns / across);
  const key = `${open.picker.id} ${rows[cursor]?.key}`;
  return {x: rect.x + left + (hasSides ? 1 : 0) + 1, y: rect.y + bodyRow + (at % bodyRows), rows: 1, key};
}

function fieldWindow(
  {text, cursor}: Pick<TextField, 'text' | 'cursor'>,
  {columns}: OverlayLayout,
  prompt: string,
  {bidi}: Pick<DisplayOptions, 'bidi'>,
) {
  return lineWindow(text, cursor, Math.max(1, columns - textColumns(prompt)), 0, bidi);
}

export function pickerBox(picker: PickerContent, display: DisplayOptions) {
  const {layout, rows, cursor} = picker;
  const glyphs = overlayGlyphs(display);
  const body =
    layout.across === 1
      ? rows.map((row, at) => boxedRow(row, layout, at === cursor, glyphs))
      : Array.from({length: Math.min(rows.length, layout.bodyRows)}, (_, at) => sideBySide(picker, at, glyphs));
  if (rows.length === 0) {
    const text = ` ${glyphs.plainGlyphs(picker.emptyText)}`;
    body.push(boxedLine(fittedLine([{text, role: 'dim'}], layout.columns, glyphs.ellipsis), layout, glyphs));
  }
  const lines = boxLines(picker, [...fieldLines(picker, glyphs, display), ...body], helpLines(picker, glyphs), glyphs);
  return {rect: layout.rect, lines};
}

/** Returns the rows of one line, one in each column. */
function sideBySide({layout, rows, cursor}: PickerContent, line: number, glyphs: OverlayGlyphs): PaneLine {
  const width = Math.floor(layout.columns / layout.across);
  const spans = Array.from({length: layout.across}, (_, column) => {
    const at = line + column * layout.bodyRows;
    const row = rows[at];
    return row === undefined ? [] : paddedLine(pickerRowLine(row, width - 1, at === cursor, glyphs), width).spans;
  }).flat();
  return boxedLine(fittedLine(spans, layout.columns), layout, glyphs);
}

const choosingKeys: readonly string[] = ['Enter', 'Alt-Enter', 'Tab', 'Enter or Tab', 'Enter or the shown key'];

/** Leaves out the keys that need a row to choose. */
function withoutChoosing(hint: KeyEffects | string = {}): KeyEffects | string {
  if (typeof hint === 'string') return hint;
  return Object.fromEntries(Object.entries(hint).filter(([key]) => !choosingKeys.includes(key)));
}

/** Returns the help of a row, below a rule where there is room, wrapped to the lines that there are for it. */
function helpLines({layout, help, helpLineCount}: PickerContent, glyphs: OverlayGlyphs): readonly PaneLine[] {
  if (layout.helpRows === 0) return [];
  const edge = layout.helpRows > helpLineCount ? [boxEdge(layout, glyphs, 'middle', [], '')] : [];
  const helpRows = layout.helpRows - edge.length;
  const text = sanitizeText(glyphs.plainGlyphs(help));
  const width = Math.max(1, layout.columns - 2);
  const wrapped = wrapSpans([{text, role: 'dim' as const}], {width});
  const rest = wrapped.slice(helpRows - 1).flatMap(({spans}) => spans.map((span) => span.text));
  const shown = [
    ...wrapped.slice(0, helpRows - 1),
    fittedLine([{text: rest.join(' '), role: 'dim'}], width, glyphs.ellipsis),
  ];
  const lines = Array.from({length: helpRows}, (_, at) => {
    const line = shown[at] ?? blankLine;
    const indented = {spans: [{text: ' ', role: 'text' as const}, ...line.spans], width: line.width + 1};
    return boxedLine(indented, layout, glyphs);
  });
  return [...edge, ...lines];
}

/** Returns the cursor's position as `3/120`, titles not counted. */
function positionText(rows: readonly PickerRow[], cursor: number): string {
  const isChoice = (one: PickerRow) => one.isTitle !== true;
  return `${rows.slice(0, cursor + 1).filter(isChoice).length}/${rows.filter(isChoice).length}`;
}

function fieldLines(
  {query, layout}: PickerContent,
  glyphs: OverlayGlyphs,
  display: DisplayOptions,
): readonly PaneLine[] {
  if (layout.fieldRow === undefined) return [];
  const {prompt} = glyphs;
  const content: UiSpan =
    query.text === ''
      ? {text: glyphs.plainGlyphs(query.placeholder), role: 'placeholder'}
      : {...fieldWindow(query, layout, prompt, display).span, role: query.isSelected ? 'marked' : 'text'};
  const field = fittedLine([{text: prompt, role: 'prompt'}, content], layout.columns, glyphs.ellipsis);
  return [boxedLine(field, layout, glyphs), boxEdge(layout, glyphs, 'middle', [], '')];
}
