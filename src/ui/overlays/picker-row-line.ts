import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {UiRole} from '#theme/roles.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {fitText, paddedLine, fittedLine as partsRow, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';

export interface RowGlyphs {
  readonly bar: string;
  readonly rule: string;
  readonly ellipsis: string;
  /** Converts texts to glyphs that the terminal can show. */
  readonly plainGlyphs: (text: string) => string;
}

/** A detail narrower than this is left out. */
const minDetailColumns = 8;

/** A picker row: cursor bar, label with matches highlighted, detail, and the key at the right. */
export function pickerRowLine(row: PickerRow, width: number, isCurrent: boolean, glyphs: RowGlyphs): UiLine {
  if (row.isTitle === true) return titleLine(row, width, glyphs);
  const {bar, ellipsis, plainGlyphs: plain} = glyphs;
  const right = row.right === undefined ? '' : fitText(plain(row.right), Math.floor(width / 2), ellipsis);
  const rightSpans: UiSpan[] =
    right === '' ? [] : [{text: `${right} `, role: row.disabled === undefined ? (row.rightRole ?? 'key') : 'disabled'}];
  const swatch: UiSpan[] = row.swatch === undefined ? [] : [{text: plain('██ '), role: 'text', color: row.swatch}];
  const room = width - 1 - spansWidth(swatch) - (right === '' ? 1 : textColumns(right) + 2);
  const named = tintedChannelSpans(labelSpans(row, isCurrent), row.tint, {topic: '›'});
  const label = named.map((span) => ({...span, text: plain(span.text)}));
  const labelParts = partsRow(label, room, ellipsis);
  const reason = row.disabled === row.label ? undefined : row.disabled;
  const detail = plain(reason ?? row.detail ?? '');
  const left = room - labelParts.width - 2;
  const hasDetail = detail !== '' && left >= Math.min(minDetailColumns, textColumns(sanitizeText(detail)));
  const parts: UiSpan[] = [
    {text: isCurrent ? bar : ' ', role: 'cursor_bar'},
    ...swatch,
    ...labelParts.spans,
    ...(hasDetail ? [{text: `  ${fitText(detail, left, ellipsis)}`, role: 'dim' as const}] : []),
  ];
  const start = partsRow(parts, width);
  const filled = paddedLine(start, width - spansWidth(rightSpans));
  return {spans: [...filled.spans, ...rightSpans], width: filled.width + spansWidth(rightSpans)};
}

function titleLine(row: PickerRow, width: number, {rule: glyph, ellipsis, plainGlyphs}: RowGlyphs): UiLine {
  const {label, detail, role = 'section'} = row;
  if (label === '') return rule(width, {glyph, role: 'overlay_border'});
  const more: UiSpan[] = detail === undefined ? [] : [{text: `  ${plainGlyphs(detail)}`, role: 'dim'}];
  return partsRow([{text: ` ${plainGlyphs(label)}`, role}, ...more], width, ellipsis);
}

/** Highlights the matches. The ranges count in the original label, so it is split before sanitizing. */
function labelSpans({label, matched = [], disabled, role = 'text'}: PickerRow, isCurrent: boolean): UiSpan[] {
  const plain: UiRole = disabled === undefined ? role : 'disabled';
  const base = isCurrent && disabled === undefined ? {role: plain, bold: true as const} : {role: plain};
  if (disabled !== undefined || matched.length === 0) return [{text: label, ...base}];
  const spans: UiSpan[] = [];
  let at = 0;
  for (const [start, end] of matched) {
    if (start > at) spans.push({text: label.slice(at, start), ...base});
    spans.push({text: label.slice(Math.max(at, start), end), role: 'matched'});
    at = Math.max(at, end);
  }
  if (at < label.length) spans.push({text: label.slice(at), ...base});
  return spans.filter(({text}) => text !== '');
}

function spansWidth(spans: readonly UiSpan[]): number {
  return spans.reduce((total, {text}) => total + textColumns(text), 0);
}
