import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {FormValue, ValueFormField} from '#ui/core/form.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {overlayGlyphs} from '#ui/overlays/overlay-glyphs.ts';
import {lineWindow} from '#ui/text/line-window.ts';
import type {TextField} from '#ui/text/text-field.ts';
import {layoutText, positionOf, rowText} from '#ui/text/text-layout.ts';
import {isTypedField} from './field-text.ts';
import type {FieldRow} from './form-view.ts';

/** A line of a field's value, with the column of the text cursor. */
export interface ValueLine {
  readonly spans: readonly UiSpan[];
  readonly cursorColumn?: number | undefined;
}

export interface ValuePlace {
  readonly width: number;
  readonly isFocused: boolean;
  /** The text cursor, if the field is typed and has the focus. */
  readonly input: TextField | undefined;
}

/** Several lines of a text that does not have the focus. */
const maxIdleLines = 3;

/** Returns the lines of a field's value at a width; one line unless the field is a long text or has the focus. */
export function fieldValueLines(row: FieldRow, place: ValuePlace, display: DisplayOptions): readonly ValueLine[] {
  if (isTypedField(row.field)) return typedLines(row, place, display);
  const {width, isFocused} = place;
  const {ellipsis, plainGlyphs} = overlayGlyphs(display);
  const {text, role} = chosenSpan(row, isFocused);
  const span = {text: plainGlyphs(text), role};
  if (!isFocused) return [{spans: fittedLine([span], width, ellipsis).spans}];
  return wrapSpans<UiRole>([{...span, text: sanitizeText(span.text)}], {width: Math.max(1, width)});
}

function chosenSpan({field, value, text}: FieldRow, isFocused: boolean): UiSpan {
  const role = valueRole(field);
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
  if (field.kind === 'text' && field.isMultiline === true) return multilineLines(row, place, ellipsis);
  const text = field.kind === 'text' && field.isSecret === true ? '*'.repeat(row.text.length) : row.text;
  const before = swatchSpans(row, display);
  const used = before.reduce((total, span) => total + textColumns(span.text), 0);
  const unit: UiSpan[] =
    field.kind === 'number' && field.unit !== undefined ? [{text: ` ${field.unit}`, role: 'dim'}] : [];
  const role = valueRole(field);
  if (input === undefined) return [{spans: fittedLine([...before, {text, role}, ...unit], width, ellipsis).spans}];
  const {shown, column} = lineWindow(text, input.cursor, Math.max(1, width - used));
  return [{spans: [...before, {text: shown, role}, ...unit], cursorColumn: used + column}];
}

/** Returns a patch of the colour before its code, where the terminal has enough colours. */
function swatchSpans({field, value}: FieldRow, display: DisplayOptions): readonly UiSpan[] {
  const color = swatchColor(display.depth, field.kind === 'color' ? value : undefined);
  return color === undefined ? [] : [{text: display.glyphs === 'ascii' ? '## ' : '██ ', role: 'text', color}];
}

export function swatchColor(depth: DisplayOptions['depth'], value: FormValue | undefined): string | undefined {
  return typeof value === 'string' && (depth === 'true' || depth === '256') ? value : undefined;
}

function multilineLines({field, text}: FieldRow, {width, input}: ValuePlace, ellipsis: string): readonly ValueLine[] {
  const layout = layoutText(text, width);
  const role = valueRole(field);
  const cursor = input === undefined ? undefined : positionOf(layout, input.cursor);
  const lines = layout.rows.map((row, at): ValueLine => {
    return {spans: [{text: rowText(row), role}], cursorColumn: cursor?.row === at ? cursor.column : undefined};
  });
  if (input !== undefined || lines.length <= maxIdleLines) return lines;
  return [...lines.slice(0, maxIdleLines - 1), {spans: [{text: ellipsis, role: 'dim'}]}];
}
