import {fittedLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';

/** Wraps text; its line breaks are kept. */
export function paragraph(text: string, role: UiRole, width: number): readonly UiLine[] {
  return text.split('\n').flatMap((line) => wrapSpans<UiRole>([{text: sanitizeText(line), role}], {width}));
}

/** The width of the field names. */
const fieldColumns = 14;

/** Returns a field such as `Local time    14:30`; long values wrap under themselves. */
export function cardFieldLines(name: string, value: readonly UiSpan[], width: number): readonly UiLine[] {
  const first: UiSpan[] = [{text: sanitizeText(name).padEnd(fieldColumns), role: 'dim'}];
  const rest: UiSpan[] = [{text: ' '.repeat(fieldColumns), role: 'text'}];
  const safe = value.map((span) => ({...span, text: sanitizeText(span.text)}));
  return wrapSpans<UiRole>(safe, {width, first, rest});
}

export function cardTextField(name: string, value: string, width: number, role: UiRole = 'text'): readonly UiLine[] {
  return value === '' ? [] : cardFieldLines(name, [{text: value, role}], width);
}

/** Returns a line such as `m  Mute`: a key and what it does. */
export function cardKeyLine(key: string, what: string, width: number, state = ''): UiLine {
  const parts: UiSpan[] = [
    {text: key.padEnd(7), role: 'key'},
    {text: what, role: 'text'},
    {text: state === '' ? '' : `  ${state}`, role: 'dim'},
  ];
  return fittedLine(parts, width);
}

const keyGap = '   ';

/** Puts key hints side by side on as many lines as they need; a hint is never wrapped. */
export function cardKeyLines(
  keys: readonly (readonly [key: string, what: string])[],
  width: number,
): readonly UiLine[] {
  const lines: UiLine[] = [];
  for (const [key, what] of keys) {
    const one = fittedLine(
      [
        {text: `${key} `, role: 'key'},
        {text: what, role: 'text'},
      ],
      width,
    );
    const last = lines.at(-1);
    if (last === undefined || last.width + keyGap.length + one.width > width) lines.push(one);
    else {
      const spans: readonly UiSpan[] = [...last.spans, {text: keyGap, role: 'text'}, ...one.spans];
      lines[lines.length - 1] = {spans, width: last.width + keyGap.length + one.width};
    }
  }
  return lines;
}
