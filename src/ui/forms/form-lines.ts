import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {memoByObject} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {FormProgress, FormState, FormValue, ValueFormField} from '#ui/core/form.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import type {CursorPosition, SelectedRows} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {type OverlayGlyphs, overlayGlyphs, overlayLayout, type TextBox} from '#ui/overlays/overlay-box.ts';
import type {TextField} from '#ui/text/text-field.ts';
import {fieldOrder, layoutText, lineWindow, positionOf, rowSpan, type TextOrder} from '#ui/text/text-layout.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';
import {
  type FieldRow,
  type FormRow,
  type FormView,
  focusedInput,
  focusedRow,
  formView,
  isMultiline,
  isTypedField,
  openedForm,
} from './form-view.ts';

interface FormLine {
  readonly line: UiLine;
  /** The row that a click on the line focuses. */
  readonly rowKey: string | undefined;
  /** The column of the text cursor in this line. */
  readonly cursorColumn?: number | undefined;
}

/** The cursor bar, the mark of a change, and a space. */
const markColumns = 3;
/** The indentation of the lines below the focused field. */
const noteIndent = 4;
/** Below this width, results are indented as little as notes. */
const narrowColumns = 60;

/** Returns the lines of all rows. The focused field has its help below it. */
function formLines(view: FormView, open: FormState, width: number, display: DisplayOptions): readonly FormLine[] {
  const focus = focusedRow(view, open)?.key;
  const labelColumns = labelWidth(view, width);
  const glyphs = overlayGlyphs(display);
  const firstAction = view.rows.find(({kind}) => kind === 'action');
  return view.rows.flatMap((row): readonly FormLine[] => {
    const isFocused = row.key === focus;
    switch (row.kind) {
      case 'section': {
        const {label, detail} = row.field;
        const spans: UiSpan[] = [
          {text: label, role: 'section'},
          {text: detail === undefined ? '' : `  ${detail}`, role: 'dim'},
        ];
        const line = {line: fittedLine(spans, width), rowKey: undefined};
        return row === view.rows[0] ? [line] : [blank, line];
      }
      case 'action': {
        const line = {line: actionLine(row, isFocused, width, glyphs), rowKey: row.key};
        return row === firstAction ? [blank, line] : [line];
      }
      default:
        return fieldLines(row, open.progress, {
          input: isFocused ? focusedInput(view, open) : undefined,
          isFocused,
          labelColumns,
          width,
          display,
        });
    }
  });
}

function labelWidth({rows}: FormView, width: number): number {
  const widths = rows.map((row) => (row.kind === 'field' ? textColumns(row.field.label) : 0));
  return Math.min(Math.max(0, ...widths), Math.floor((width - markColumns) * 0.45)) + 2;
}

const blank: FormLine = {line: blankLine, rowKey: undefined};

function actionLine(
  {action, key}: Extract<FormRow, {kind: 'action'}>,
  isFocused: boolean,
  width: number,
  {bar, ellipsis}: OverlayGlyphs,
): UiLine {
  const isDisabled = action.disabled !== undefined;
  const detail = action.disabled ?? action.detail;
  const role: UiRole = isDisabled ? 'disabled' : 'text';
  const keyName = key === 'action save' ? 'Ctrl-D' : key === 'action discard' ? 'Ctrl-R' : (action.key ?? '');
  const left: UiSpan[] = [
    {text: `${isFocused ? bar : ' '}  `, role: 'cursor_bar'},
    {text: action.label, role, ...(isFocused && !isDisabled && {bold: true as const})},
    {text: detail === undefined ? '' : `  ${detail}`, role: 'dim'},
  ];
  return leftRightLine(left, [{text: keyName, role: isDisabled ? 'disabled' : 'key'}], width, {ellipsis});
}

interface FieldPlace extends ValuePlace {
  readonly labelColumns: number;
  readonly display: DisplayOptions;
}

function fieldLines(row: FieldRow, progress: FormProgress, place: FieldPlace): readonly FormLine[] {
  const {field, key} = row;
  const {isFocused, labelColumns, width, display} = place;
  const glyphs = overlayGlyphs(display);
  const start = markColumns + labelColumns;
  const values = fieldValueLines(row, {...place, width: Math.max(1, width - start)}, display);
  const lines = values.map((value, at): FormLine => {
    const head = at === 0 ? labelSpans(row, isFocused, labelColumns, glyphs) : [spaces(start)];
    return {
      line: fittedLine([...head, ...value.spans], width, glyphs.ellipsis),
      rowKey: key,
      cursorColumn: value.cursorColumn === undefined ? undefined : Math.min(width - 1, start + value.cursorColumn),
    };
  });
  const notes = isFocused ? noteLines(row, progress, place) : [];
  // On a narrow screen the column of the values is too narrow for sentences and URLs.
  const indent = width < narrowColumns ? noteIndent : start;
  const result = field.result === undefined ? [] : indentedLines(field.result, 'dim', indent, place);
  return [...lines, ...[...result, ...notes].map((line) => ({line, rowKey: key}))];
}

function spaces(count: number): UiSpan {
  return {text: ' '.repeat(Math.max(0, count)), role: 'text'};
}

/** The cursor bar, `*` for a change or `!` for a change that cannot be saved, and the label. */
function labelSpans(
  {field, isChanged, problem}: FieldRow,
  isFocused: boolean,
  columns: number,
  {bar, ellipsis}: OverlayGlyphs,
): readonly UiSpan[] {
  const hasProblem = isChanged && problem !== undefined;
  const changeSign = isChanged ? '*' : ' ';
  const sign = hasProblem ? '!' : changeSign;
  const role: UiRole = field.disabled === undefined ? 'text' : 'disabled';
  const label = fittedLine([{text: field.label, role, ...(isFocused && {bold: true as const})}], columns - 1, ellipsis);
  return [
    {text: isFocused ? bar : ' ', role: 'cursor_bar'},
    {text: bar === ' ' ? '  ' : `${sign} `, role: hasProblem ? 'error' : 'marked'},
    ...label.spans,
    spaces(columns - label.width),
  ];
}

/** Returns the lines below the focused field: its problem, why it is disabled, how it was understood, its help. */
function noteLines(row: FieldRow, progress: FormProgress, place: FieldPlace): readonly UiLine[] {
  const {key, label, help, disabled} = row.field;
  const problem = row.isEdited || progress.kind === 'refused' ? row.problem : undefined;
  const refusal = progress.kind === 'refused' && progress.field === key ? progress.reason : undefined;
  const isCut = textColumns(label) > place.labelColumns - 1;
  const notes: readonly (readonly [text: string | undefined, role: UiRole])[] = [
    [isCut ? label : undefined, 'text'],
    [refusal ?? problem, 'error'],
    [disabled, 'warning'],
    [problem === undefined && row.understood !== undefined ? `= ${row.understood}` : undefined, 'dim'],
    [counterText(row), 'counter'],
    [help, 'dim'],
  ];
  return notes.flatMap(([text, role]) => (text === undefined ? [] : indentedLines(text, role, noteIndent, place)));
}

function indentedLines(text: string, role: UiRole, indent: number, {width, display}: FieldPlace): readonly UiLine[] {
  const lines = paragraph(plainGlyphText(text, display), role, Math.max(1, width - indent));
  return lines.map((line) => ({spans: [spaces(indent), ...line.spans], width: line.width + indent}));
}

/** The counter appears when less than a tenth of the limit is left. */
function counterText({field, value}: FieldRow): string | undefined {
  if (field.kind !== 'text' || field.maxLength === undefined) return undefined;
  const {length} = [...String(value ?? '')];
  return length > field.maxLength * 0.9 ? `${length} of ${countedNoun(field.maxLength, 'character')}` : undefined;
}

const maxStatusLines = 3;

/** Returns the lines that are always visible: what will be saved, or why it was not. */
function statusLines(view: FormView, open: FormState, width: number, display: DisplayOptions): readonly UiLine[] {
  const [text, role] = statusText(open, view);
  if (text === '') return [blankLine];
  return paragraph(plainGlyphText(text, display), role, width).slice(0, maxStatusLines);
}

function statusText({progress, isRestored}: FormState, {changed, form}: FormView): readonly [string, UiRole] {
  if (progress.kind === 'saving') return ['Saving…', 'progress'];
  if (progress.kind === 'unknown') return [progress.reason, 'error'];
  if (progress.kind === 'refused') {
    return [progress.field === undefined ? `Not saved: ${progress.reason}` : 'Not saved', 'error'];
  }
  if (changed.length === 0) return [form.isNew === true ? '' : 'No changes', 'dim'];
  const names = changed.map(({label}) => label.toLowerCase()).join(', ');
  const restored = isRestored ? 'Unsaved from before · Ctrl-R discards · ' : '';
  return [`${restored}${countedNoun(changed.length, 'change')}: ${names}`, 'marked'];
}

/** A line of a field's value, with the column of the text cursor. */
interface ValueLine {
  readonly spans: readonly UiSpan[];
  readonly cursorColumn?: number | undefined;
}

interface ValuePlace {
  readonly width: number;
  readonly isFocused: boolean;
  /** The text cursor, if the field is typed and has the focus. */
  readonly input: TextField | undefined;
}

/** Several lines of a text that does not have the focus. */
const maxIdleLines = 3;

/** Returns the lines of a field's value at a width; one line unless the field is a long text or has the focus. */
function fieldValueLines(row: FieldRow, place: ValuePlace, display: DisplayOptions): readonly ValueLine[] {
  if (isTypedField(row.field)) return typedLines(row, place, display);
  const {width, isFocused} = place;
  const {ellipsis, plainGlyphs} = overlayGlyphs(display);
  const {text, role} = chosenSpan(row, isFocused, display);
  const span = {text: plainGlyphs(text), role};
  if (!isFocused) return [{spans: fittedLine([span], width, ellipsis).spans}];
  return wrapSpans<UiRole>([{...span, text: sanitizeText(span.text)}], {width: Math.max(1, width)});
}

function chosenSpan({field, value, text}: FieldRow, isFocused: boolean, {glyphs}: DisplayOptions): UiSpan {
  const role = valueRole(field);
  if (text === '') return {text: emptyTextOf(field), role: 'placeholder'};
  if (glyphs === 'words') return {text, role};
  if (field.kind === 'switch') return {text: value === true ? '[x] on' : '[ ] off', role};
  return {text: field.kind === 'choice' && isFocused ? `< ${text} >` : text, role};
}

function valueRole({disabled}: ValueFormField): UiRole {
  return disabled === undefined ? 'text' : 'disabled';
}

function emptyTextOf(field: ValueFormField): string {
  if (field.kind === 'text') return field.placeholder ?? '';
  return 'emptyText' in field ? (field.emptyText ?? 'none') : 'none';
}

function typedLines(row: FieldRow, place: ValuePlace, display: DisplayOptions): readonly ValueLine[] {
  const {width, input} = place;
  const {field} = row;
  const {ellipsis, plainGlyphs} = overlayGlyphs(display);
  if (row.text === '') {
    const spans: UiSpan[] = [{text: plainGlyphs(emptyTextOf(field)), role: 'placeholder'}];
    return [{spans, cursorColumn: input === undefined ? undefined : 0}];
  }
  if (isMultiline(field)) return multilineLines(row, place, ellipsis, fieldOrder(display));
  const text = field.kind === 'text' && field.isSecret === true ? '*'.repeat(row.text.length) : row.text;
  const color = swatchColor(display.depth, field.kind === 'color' ? row.value : undefined);
  // A patch of the colour stands before its code, where the terminal has enough colours.
  const patch = {unicode: '██ ', ascii: '## ', words: ''}[display.glyphs];
  const before: UiSpan[] = color === undefined ? [] : [{text: patch, role: 'text', color}];
  const used = before.reduce((total, span) => total + textColumns(span.text), 0);
  const unit: UiSpan[] =
    field.kind === 'number' && field.unit !== undefined ? [{text: ` ${field.unit}`, role: 'dim'}] : [];
  const role = valueRole(field);
  if (input === undefined) return [{spans: fittedLine([...before, {text, role}, ...unit], width, ellipsis).spans}];
  const {span, column} = lineWindow(text, input.cursor, Math.max(1, width - used), 0, display.bidi);
  return [{spans: [...before, {...span, role}, ...unit], cursorColumn: used + column}];
}

export function swatchColor(depth: DisplayOptions['depth'], value: FormValue | undefined): string | undefined {
  return typeof value === 'string' && (depth === 'true' || depth === '256') ? value : undefined;
}

function multilineLines(
  {field, text}: FieldRow,
  {width, input}: ValuePlace,
  ellipsis: string,
  order: TextOrder,
): readonly ValueLine[] {
  const layout = layoutText(text, width, undefined, order);
  const role = valueRole(field);
  const cursor = input === undefined ? undefined : positionOf(layout, input.cursor);
  const lines = layout.rows.map((row, at): ValueLine => {
    return {spans: [{...rowSpan(row), role}], cursorColumn: cursor?.row === at ? cursor.column : undefined};
  });
  if (input !== undefined || lines.length <= maxIdleLines) return lines;
  return [...lines.slice(0, maxIdleLines - 1), {spans: [{text: ellipsis, role: 'dim'}]}];
}

export const laidOutForm = memoByObject(computeLayout);

/** One column stays free at each side of the text. */
const indent = 1;

/**
 * `top`: the index of the first visible line. `bodyRows`: the number of lines visible at once. `valueColumns`: the width of
 * the values. `status`: the lines below the fields, always visible: what will be saved, or why it was not. `key`, `first`,
 * `last`: the row with the focus and its lines. `x`, `y`: the cell of the first visible line.
 */
function computeLayout(frame: Frame, open: FormState) {
  const view = formView(frame, open.form);
  const width = Math.max(1, overlayLayout(frame, open, 1).columns - 2 * indent);
  const lines = formLines(view, open, width, frame.display);
  const status = statusLines(view, open, width, frame.display);
  const layout = overlayLayout(frame, open, lines.length + status.length);
  const bodyRows = Math.max(1, layout.bodyRows - status.length);
  const key = focusedRow(view, open)?.key;
  const first = lines.findIndex((line) => line.rowKey === key);
  const last = lines.findLastIndex((line) => line.rowKey === key);
  const top = topFor(open.top, {first, last}, lines, bodyRows);
  const {rect, hasSides, bodyRow} = layout;
  const place = {x: rect.x + (hasSides ? 1 : 0) + indent, y: rect.y + bodyRow};
  const valueColumns = Math.max(1, width - markColumns - labelWidth(view, width));
  return {layout, lines, status, bodyRows, valueColumns, top, key, first, last, ...place};
}

/**
 * Returns the first visible line: the whole row with the focus is visible, or as much of it as fits around its text cursor.
 * Titles above the first row stay visible with it.
 */
function topFor(
  top: number,
  {first, last}: {readonly first: number; readonly last: number},
  lines: readonly FormLine[],
  bodyRows: number,
): number {
  const cursor = lines.findIndex((line) => line.cursorColumn !== undefined);
  const isFirst = lines.slice(0, Math.max(0, first)).every(({rowKey}) => rowKey === undefined);
  const needed = cursor < 0 ? first : cursor;
  let next = Math.min(top, isFirst ? 0 : first);
  if (last >= next + bodyRows) next = Math.min(last - bodyRows + 1, Math.max(first, needed - bodyRows + 1));
  if (needed >= next + bodyRows) next = needed - bodyRows + 1;
  return Math.max(0, Math.min(next, lines.length - bodyRows));
}

/** Selects the open form: the lines that are scrolled into view. */
export function formContent(frame: Frame): TextBox | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {layout, lines, top, bodyRows, status} = laidOutForm(frame, open);
  const end = Math.min(lines.length, top + bodyRows);
  const hints = frame.info.keys?.hints(frame);
  return {
    layout,
    title: open.form.title,
    position: lines.length > bodyRows ? `${end}/${lines.length}` : '',
    // The form covers the status line.
    hint: layout.hasSides ? undefined : hints && Object.fromEntries(hints.map(({key, label}) => [key, label])),
    lines: lines.slice(top, end).map(({line}) => line),
    status,
  };
}

export function formCursor(frame: Frame): CursorPosition | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {lines, top, bodyRows, x, y} = laidOutForm(frame, open);
  const at = lines.findIndex(({cursorColumn}) => cursorColumn !== undefined);
  const column = lines[at]?.cursorColumn;
  return column === undefined || at < top || at >= top + bodyRows ? undefined : {x: x + column, y: y + at - top};
}

/** Returns the visible lines of the focused row: its name and value, and below them its help. */
export function selectedFormRows(frame: Frame): SelectedRows | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {key, top, bodyRows, x, y, ...row} = laidOutForm(frame, open);
  const first = Math.max(top, row.first);
  const last = Math.min(top + bodyRows - 1, row.last);
  return {x, y: y + first - top, rows: Math.max(1, last - first + 1), key: `form ${key}`};
}

/** Returns the key of the row painted at this line of the screen. */
export function formRowAt(frame: Frame, open: FormState, y: number): string | undefined {
  const {layout, lines, top, bodyRows} = laidOutForm(frame, open);
  const row = y - layout.rect.y - layout.bodyRow;
  return row >= 0 && row < bodyRows ? lines[top + row]?.rowKey : undefined;
}
