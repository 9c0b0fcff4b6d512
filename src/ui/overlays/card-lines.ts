import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {composed} from '#std/composed-text.ts';
import type {UiRole} from '#theme/roles.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';

/** Wraps text; its line breaks are kept. */
export function paragraph(text: string, role: UiRole, width: number): readonly UiLine[] {
  return text.split('\n').flatMap((line) => wrapSpans<UiRole>([{text: sanitizeText(line), role}], {width}));
}

/** Wraps spans. Several are parts of a composed text, and each keeps its place. */
export function wrappedLines(spans: readonly UiSpan[], width: number): readonly UiLine[] {
  const isOnly = spans.length === 1;
  const isolated = (text: string) => text.replace(/\S(?:.*\S)?/, (value) => composed`${value}`);
  const safe = spans.map((span) => ({...span, text: sanitizeText(isOnly ? span.text : isolated(span.text))}));
  return wrapSpans<UiRole>(safe, {width});
}

/** The width of the field names. */
const fieldColumns = 14;

/** Returns a field such as `Local time    14:30`; long values wrap under themselves. */
export function cardFieldLines(name: string, value: readonly UiSpan[], width: number): readonly UiLine[] {
  return cardBlockField(name, wrappedLines(value, fieldValueColumns(width)), width);
}

/** The width of the values in a card. */
export function fieldValueColumns(width: number): number {
  return Math.max(1, width - fieldColumns);
}

/** Returns a field whose value has lines. A name that is too long for its column has its own lines above the value. */
export function cardBlockField(name: string, value: readonly UiLine[], width: number): readonly UiLine[] {
  const label = sanitizeText(name).trim();
  const columns = textColumns(label);
  const isWide = columns >= fieldColumns;
  const lines = value.map((line, at): UiLine => {
    const start: UiSpan =
      at === 0 && !isWide
        ? {text: label + ' '.repeat(fieldColumns - columns), role: 'dim'}
        : {text: ' '.repeat(fieldColumns), role: 'text'};
    return fittedLine([start, ...line.spans], width);
  });
  return isWide ? [...paragraph(label, 'dim', width), ...lines] : lines;
}

export function cardTextField(name: string, value: string, width: number, role: UiRole = 'text'): readonly UiLine[] {
  return value === '' ? [] : cardFieldLines(name, [{text: value, role}], width);
}

/** Returns lines such as `m  Mute`: a key and what it does. */
export function cardKeyLine(key: string, what: string, width: number, state = ''): readonly UiLine[] {
  const about: UiSpan[] = [
    {text: what, role: 'text'},
    {text: state === '' ? '' : `  ${state}`, role: 'dim'},
  ];
  return hangingLines({text: key.padEnd(7), role: 'key'}, about, width);
}

/** Returns a term and the text about it, which wraps under itself. */
export function hangingLines(term: UiSpan, about: readonly UiSpan[], width: number): readonly UiLine[] {
  const indent: UiSpan = {text: ' '.repeat(textColumns(term.text)), role: 'text'};
  return wrapSpans<UiRole>(about, {width, first: [term], rest: [indent]});
}

const keyGap = '   ';

/** A key of a card and what it does in words. */
type ShownKey = readonly [key: string, what: string, ...unknown[]];

/** Puts key hints side by side on as many lines as they need; a hint is never wrapped. */
export function cardKeyLines(keys: readonly ShownKey[], width: number): readonly UiLine[] {
  const lines: UiLine[] = [];
  for (const [key, what] of keys) {
    const spans: readonly UiSpan[] = [
      {text: `${key} `, role: 'key'},
      {text: what, role: 'text'},
    ];
    const one = fittedLine(spans, width);
    const last = lines.at(-1);
    if (last === undefined || last.width + keyGap.length + one.width > width) lines.push(one);
    else lines.splice(-1, 1, fittedLine([...last.spans, {text: keyGap, role: 'text'}, ...one.spans], width));
  }
  return lines;
}
