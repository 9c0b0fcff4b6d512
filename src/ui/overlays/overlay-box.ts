import {textColumns} from '#content/styled-text/text-width.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {fittedLine, paddedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {OverlayGlyphs} from './overlay-glyphs.ts';
import type {OverlayLayout} from './overlay-layout.ts';
import {pickerRowLine} from './picker-row-line.ts';

/** A border line with text near its left end and a short text at its right. */
export function boxEdge(
  {columns, hasSides}: OverlayLayout,
  glyphs: OverlayGlyphs,
  where: 'top' | 'middle' | 'bottom',
  spans: readonly UiSpan[],
  right: string,
): PaneLine {
  const {line, corners, ellipsis} = glyphs;
  const rightText = right === '' ? '' : ` ${right} `;
  const room = columns - textColumns(rightText) - (rightText === '' ? 0 : 1);
  const fittedText = fittedLine(spans, room - 3, ellipsis);
  const label: UiSpan[] =
    fittedText.width === 0 ? [] : [{text: ' ', role: 'text'}, ...fittedText.spans, {text: ' ', role: 'text'}];
  const used = fittedText.width === 0 ? 0 : fittedText.width + 2;
  const [start, end] = corners[where];
  const fill = line.repeat(Math.max(0, room - used - (fittedText.width === 0 ? 0 : 1)));
  const parts: UiSpan[] = [
    ...(hasSides ? [{text: start, role: 'overlay_border' as const}] : []),
    ...(fittedText.width === 0 ? [] : [{text: line, role: 'overlay_border' as const}]),
    ...label,
    {text: fill, role: 'overlay_border'},
    ...(rightText === ''
      ? []
      : [
          {text: rightText, role: 'dim' as const},
          {text: line, role: 'overlay_border' as const},
        ]),
    ...(hasSides ? [{text: end, role: 'overlay_border' as const}] : []),
  ];
  return fittedLine(parts, columns + (hasSides ? 2 : 0));
}

export function boxedLine(line: UiLine, {columns, hasSides}: OverlayLayout, {side}: OverlayGlyphs): PaneLine {
  const filled = paddedLine(line, columns);
  if (!hasSides) return filled;
  const bar: UiSpan = {text: side, role: 'overlay_border'};
  return {spans: [bar, ...filled.spans, bar], width: filled.width + 2};
}

interface CachedBoxLine {
  readonly columns: number;
  readonly hasSides: boolean;
  readonly glyphs: OverlayGlyphs;
  readonly isCurrent: boolean;
  readonly line: PaneLine;
}

const lineCache = new WeakMap<object, CachedBoxLine>();

/** Returns the same line object while its appearance is unchanged. */
function cachedLine(
  key: object,
  {columns, hasSides}: OverlayLayout,
  glyphs: OverlayGlyphs,
  isCurrent: boolean,
  make: () => PaneLine,
): PaneLine {
  const cached = lineCache.get(key);
  const isSame =
    cached?.columns === columns &&
    cached.hasSides === hasSides &&
    cached.glyphs === glyphs &&
    cached.isCurrent === isCurrent;
  if (isSame) return cached.line;
  const line = make();
  lineCache.set(key, {columns, hasSides, glyphs, isCurrent, line});
  return line;
}

export function boxedRow(one: PickerRow, layout: OverlayLayout, isCurrent: boolean, glyphs: OverlayGlyphs): PaneLine {
  return cachedLine(one, layout, glyphs, isCurrent, () =>
    boxedLine(pickerRowLine(one, layout.columns, isCurrent, glyphs), layout, glyphs),
  );
}

/** Returns a card's text line with one column of margin; its hyperlinks are kept. */
export function boxedText(line: PaneLine, layout: OverlayLayout, glyphs: OverlayGlyphs): PaneLine {
  return cachedLine(line, layout, glyphs, false, () => {
    const indented: UiLine = {spans: [{text: ' ', role: 'text'}, ...line.spans], width: line.width + 1};
    const whole = boxedLine(indented, layout, glyphs);
    return line.hyperlinks === undefined ? whole : {...whole, hyperlinks: line.hyperlinks};
  });
}
