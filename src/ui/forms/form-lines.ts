import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {FormProgress, FormState, FormValue, ValueFormField} from '#ui/core/form.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {paragraph} from '#ui/overlays/cards.ts';
import {type OverlayGlyphs, overlayGlyphs} from '#ui/overlays/overlay-box.ts';
import type {TextField} from '#ui/text/text-field.ts';
import {fieldOrder, layoutText, lineWindow, positionOf, rowSpan, type TextOrder} from '#ui/text/text-layout.ts';
import {type FieldRow, type FormRow, type FormView, focusedInput, focusedRow, isTypedField} from './form-view.ts';

/** A line of a form. */
export interface FormLine {
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
export function formLines(
  view: FormView,
  open: FormState,
  width: number,
  display: DisplayOptions,
): readonly FormLine[] {
  const focus = focusedRow(view, open)?.key;
  const labelColumns = labelWidth(view, width);
  const glyphs = overlayGlyphs(display);
  const firstAction = view.rows.find(({kind}) => kind === 'action');
  return view.rows.flatMap((row): readonly FormLine[] => {
    const isFocused = row.key === focus;
    switch (row.kind) {
      case 'section':
        return sectionLines(row.field.label, row.field.detail, row === view.rows[0], width);
      case 'action': {
        const line = {line: actionLine(row, isFocused, width, glyphs), rowKey: row.key};
        return row === firstAction ? [{line: blankLine, rowKey: undefined}, line] : [line];
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

/** Returns the width of the values. */
export function valueWidth(view: FormView, width: number): number {
  return Math.max(1, width - markColumns - labelWidth(view, width));
}

function labelWidth({rows}: FormView, width: number): number {
  const widths = rows.map((row) => (row.kind === 'field' ? textColumns(row.field.label) : 0));
  return Math.min(Math.max(0, ...widths), Math.floor((width - markColumns) * 0.45)) + 2;
}

function sectionLines(label: string, detail: string | undefined, isFirst: boolean, width: number): readonly FormLine[] {
  const spans: UiSpan[] = [
    {text: label, role: 'section'},
    {text: detail === undefined ? '' : `  ${detail}`, role: 'dim'},
  ];
  const line = {line: fittedLine(spans, width), rowKey: undefined};
  return isFirst ? [line] : [{line: blankLine, rowKey: undefined}, line];
}

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
  const role: UiRole = field.disabled === undefined ? 'text' : 'disabled';
  const label = fittedLine([{text: field.label, role, ...(isFocused && {bold: true as const})}], columns - 1, ellipsis);
  return [
    {text: isFocused ? bar : ' ', role: 'cursor_bar'},
    {text: bar === ' ' ? '  ' : hasProblem ? '! ' : isChanged ? '* ' : '  ', role: hasProblem ? 'error' : 'marked'},
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
export function statusLines(
  view: FormView,
  open: FormState,
  width: number,
  display: DisplayOptions,
): readonly UiLine[] {
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
  if (glyphs === 'words' && (field.kind === 'switch' || text !== ''))
    return {text: field.kind === 'switch' ? (value === true ? 'on' : 'off') : text, role};
  if (field.kind === 'switch') return {text: value === true ? '[x] on' : '[ ] off', role};
  if (text === '') return {text: emptyTextOf(field), role: 'placeholder'};
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
  if (field.kind === 'text' && field.isMultiline === true)
    return multilineLines(row, place, ellipsis, fieldOrder(display));
  const text = field.kind === 'text' && field.isSecret === true ? '*'.repeat(row.text.length) : row.text;
  const before = swatchSpans(row, display);
  const used = before.reduce((total, span) => total + textColumns(span.text), 0);
  const unit: UiSpan[] =
    field.kind === 'number' && field.unit !== undefined ? [{text: ` ${field.unit}`, role: 'dim'}] : [];
  const role = valueRole(field);
  if (input === undefined) return [{spans: fittedLine([...before, {text, role}, ...unit], width, ellipsis).spans}];
  const {span, column} = lineWindow(text, input.cursor, Math.max(1, width - used), 0, display.bidi);
  return [{spans: [...before, {...span, role}, ...unit], cursorColumn: used + column}];
}

/** Returns a patch of the colour before its code, where the terminal has enough colours. */
function swatchSpans({field, value}: FieldRow, display: DisplayOptions): readonly UiSpan[] {
  const color = swatchColor(display.depth, field.kind === 'color' ? value : undefined);
  return color === undefined
    ? []
    : [{text: {unicode: '██ ', ascii: '## ', words: ''}[display.glyphs], role: 'text', color}];
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
