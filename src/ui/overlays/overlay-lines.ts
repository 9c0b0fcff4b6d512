import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {FormState} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {CardState, Picker, PickerRow, PickerState} from '#ui/core/overlay.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {laidOutForm} from '#ui/forms/form-layout.ts';
import type {CursorPosition, Rect} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {lineWindow} from '#ui/text/line-window.ts';
import {laidOutCard} from './cards.ts';
import {boxEdge, boxedLine, boxedRow, boxedText} from './overlay-box.ts';
import {type OverlayGlyphs, overlayGlyphs} from './overlay-glyphs.ts';
import {type OverlayLayout, overlayLayout, scrollTopFor} from './overlay-layout.ts';
import {canChoose, choosableIndex, pickerRows} from './picker.ts';

/** Returns the rectangle of the top overlay; undefined when there is none. */
export function overlayRect(frame: Frame): Rect | undefined {
  return layoutOnTop(frame)?.rect;
}

function layoutOnTop(frame: Frame): OverlayLayout | undefined {
  const top = frame.screen.overlays.at(-1);
  if (top === undefined) return undefined;
  if (top.kind === 'card') return laidOutCard(frame, top).layout;
  if (top.kind === 'form') return laidOutForm(frame, top).layout;
  return overlayLayout(frame, top, pickerRows(frame, top).length);
}

/** Returns the index of the picker row painted at `y`. */
export function pickerRowAt(frame: Frame, y: number): number | undefined {
  const top = frame.screen.overlays.at(-1);
  if (top?.kind !== 'picker') return undefined;
  const rows = pickerRows(frame, top);
  const {rect, bodyRow, bodyRows} = overlayLayout(frame, top, rows.length);
  const row = y - rect.y - bodyRow;
  const at = row + scrollTopFor(top.top, Math.max(0, choosableIndex(rows, top.cursor)), rows.length, bodyRows);
  return row >= 0 && row < bodyRows && at < rows.length ? at : undefined;
}

export function overlayLines(frame: Frame): readonly PaneLine[] {
  const top = frame.screen.overlays.at(-1);
  if (top === undefined) return [];
  if (top.kind === 'form') return formPaneLines(frame, top);
  return top.kind === 'card' ? cardLines(frame, top) : pickerLines(frame, top);
}

export function overlayCursor(frame: Frame): CursorPosition | undefined {
  const top = frame.screen.overlays.at(-1);
  if (top?.kind === 'form') return formCursor(frame, top);
  const layout = layoutOnTop(frame);
  if (top?.kind !== 'picker' || layout?.fieldRow === undefined) return undefined;
  const {rect, fieldRow, hasSides} = layout;
  const {prompt} = overlayGlyphs(frame);
  const {column} = fieldWindow(top, layout, prompt);
  return {x: rect.x + (hasSides ? 1 : 0) + textColumns(prompt) + column, y: rect.y + fieldRow};
}

function fieldWindow({field}: PickerState, {columns}: OverlayLayout, prompt: string) {
  return lineWindow(field.text, field.cursor, Math.max(1, columns - textColumns(prompt)));
}

function pickerLines(frame: Frame, open: PickerState): readonly PaneLine[] {
  const {picker} = open;
  const rows = pickerRows(frame, open);
  const layout = overlayLayout(frame, open, rows.length);
  const glyphs = overlayGlyphs(frame);
  const {columns, bodyRows} = layout;
  const cursor = choosableIndex(rows, open.cursor);
  const top = scrollTopFor(open.top, Math.max(0, cursor), rows.length, bodyRows);
  const body = rows.slice(top, top + bodyRows).map((one, at) => boxedRow(one, layout, top + at === cursor, glyphs));
  if (rows.length === 0) {
    const text = ` ${glyphs.plainGlyphs(picker.empty ?? 'No matches')}`;
    body.push(boxedLine(fittedLine([{text, role: 'dim'}], columns, glyphs.ellipsis), layout, glyphs));
  }
  while (body.length < bodyRows) body.push(boxedLine(blankLine, layout, glyphs));
  const count = rows.length > bodyRows ? positionText(rows, cursor) : '';
  const title = glyphs.plainGlyphs(picker.titleFor?.(open.field.text) ?? picker.title);
  const written = picker.hintForRow?.(frame, rows[cursor]) ?? picker.hintFor?.(open.field.text) ?? picker.hint;
  const hint = canChoose(rows, open.cursor) ? written : withoutChoosing(written);
  return [
    boxEdge(layout, glyphs, 'top', [{text: title, role: 'overlay_title'}], count),
    ...fieldLines(open, layout, glyphs),
    ...body,
    ...helpLines(picker, rows[cursor], layout, glyphs),
    boxEdge(layout, glyphs, 'bottom', hintSpans(hint, columns, glyphs), ''),
  ];
}

/** Leaves out the keys that need a row to choose. */
function withoutChoosing(hint: string | undefined): string | undefined {
  const parts = hint?.split(' · ').filter((part) => !/^(?:Alt-)?Enter\b|^Tab\b/.test(part));
  return parts?.join(' · ');
}

/** Returns the help of a row, below a rule where there is room, wrapped to the lines that there are for it. */
function helpLines(
  {helpLines: lineCount = 0}: Picker,
  row: PickerRow | undefined,
  layout: OverlayLayout,
  glyphs: OverlayGlyphs,
): readonly PaneLine[] {
  const {columns} = layout;
  if (layout.helpRows === 0) return [];
  const edge = layout.helpRows > lineCount ? [boxEdge(layout, glyphs, 'middle', [], '')] : [];
  const helpRows = layout.helpRows - edge.length;
  const text = sanitizeText(glyphs.plainGlyphs(row?.help ?? ''));
  const width = Math.max(1, columns - 2);
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

function fieldLines(open: PickerState, layout: OverlayLayout, glyphs: OverlayGlyphs): readonly PaneLine[] {
  if (layout.fieldRow === undefined) return [];
  const {prompt} = glyphs;
  const {shown} = fieldWindow(open, layout, prompt);
  const content: UiSpan =
    open.field.text === ''
      ? {text: glyphs.plainGlyphs(open.picker.placeholder ?? ''), role: 'placeholder'}
      : {text: shown, role: 'text'};
  const field = fittedLine([{text: prompt, role: 'prompt'}, content], layout.columns, glyphs.ellipsis);
  return [boxedLine(field, layout, glyphs), boxEdge(layout, glyphs, 'middle', [], '')];
}

function cardLines(frame: Frame, open: CardState): readonly PaneLine[] {
  const {card} = open;
  const {layout, lines, top} = laidOutCard(frame, open);
  const glyphs = overlayGlyphs(frame);
  const {bodyRows} = layout;
  const body = lines.slice(top, top + bodyRows).map((line) => boxedText(line, layout, glyphs));
  while (body.length < bodyRows) body.push(boxedLine(blankLine, layout, glyphs));
  const last = Math.min(lines.length, top + bodyRows);
  const isLong = lines.length > bodyRows;
  const count = isLong ? `${last}/${lines.length}` : '';
  const hint = isLong ? ['j k scroll', card.hint].filter((part) => part !== undefined).join(' · ') : card.hint;
  return [
    boxEdge(layout, glyphs, 'top', [{text: glyphs.plainGlyphs(card.title), role: 'overlay_title'}], count),
    ...body,
    boxEdge(layout, glyphs, 'bottom', hintSpans(hint, layout.columns, glyphs), ''),
  ];
}

function formPaneLines(frame: Frame, open: FormState): readonly PaneLine[] {
  const {layout, lines, top, bodyRows, status} = laidOutForm(frame, open);
  const glyphs = overlayGlyphs(frame);
  const body = lines.slice(top, top + bodyRows).map(({line}) => boxedText(line, layout, glyphs));
  while (body.length < bodyRows) body.push(boxedLine(blankLine, layout, glyphs));
  const count = lines.length > bodyRows ? `${Math.min(lines.length, top + bodyRows)}/${lines.length}` : '';
  return [
    boxEdge(layout, glyphs, 'top', [{text: glyphs.plainGlyphs(open.form.title), role: 'overlay_title'}], count),
    ...body,
    ...status.map((line) => boxedText(line, layout, glyphs)),
    boxEdge(layout, glyphs, 'bottom', hintSpans(formHint(frame, layout), layout.columns, glyphs), ''),
  ];
}

/** Returns the hints of the status line, where the form covers it. */
function formHint(frame: Frame, {hasSides}: OverlayLayout): string | undefined {
  if (hasSides) return undefined;
  return frame.info.keys
    ?.hints(frame)
    .map(({key, label}) => `${key} ${label}`)
    .join(' · ');
}

function formCursor(frame: Frame, open: FormState): CursorPosition | undefined {
  const {layout, lines, top, bodyRows} = laidOutForm(frame, open);
  const at = lines.findIndex(({cursorColumn}) => cursorColumn !== undefined);
  const column = lines[at]?.cursorColumn;
  if (column === undefined || at < top || at >= top + bodyRows) return undefined;
  const {rect, hasSides, bodyRow} = layout;
  // One column is the margin of the text.
  return {x: rect.x + (hasSides ? 1 : 0) + 1 + column, y: rect.y + bodyRow + at - top};
}

/** Drops hints from the end that do not fit, so that none is truncated. */
function hintSpans(hint: string | undefined, columns: number, {plainGlyphs}: OverlayGlyphs): readonly UiSpan[] {
  const parts = (hint ?? '').split(' · ');
  while (parts.length > 1 && textColumns(parts.join(' · ')) > columns - 4) parts.pop();
  const text = plainGlyphs(parts.join(' · '));
  return text === '' ? [] : [{text, role: 'hint'}];
}
