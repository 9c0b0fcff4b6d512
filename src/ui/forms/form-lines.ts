import {textColumns} from '#content/styled-text/text-width.ts';
import type {UiRole} from '#theme/roles.ts';
import type {FormProgress, FormState} from '#ui/core/form.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {type OverlayGlyphs, overlayGlyphs} from '#ui/overlays/overlay-glyphs.ts';
import {fieldValueLines, type ValuePlace} from './field-value-lines.ts';
import {type FieldRow, type FormRow, type FormView, focusedInput, focusedRow} from './form-view.ts';

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
  const role: UiRole = isDisabled ? 'disabled' : 'text';
  const keyName = key === 'action save' ? 'Ctrl-D' : key === 'action discard' ? 'Ctrl-R' : (action.key ?? '');
  const left: UiSpan[] = [
    {text: `${isFocused ? bar : ' '}  `, role: 'cursor_bar'},
    {text: action.label, role, ...(isFocused && !isDisabled && {bold: true as const})},
    {text: noted(action.disabled ?? action.detail), role: 'dim'},
  ];
  return leftRightLine(left, [{text: keyName, role: isDisabled ? 'disabled' : 'key'}], width, {ellipsis});
}

function noted(detail: string | undefined): string {
  return detail === undefined ? '' : `  ${detail}`;
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
    {text: hasProblem ? '! ' : isChanged ? '* ' : '  ', role: hasProblem ? 'error' : 'marked'},
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
