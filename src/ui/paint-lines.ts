import {ansiLine, type StyleSheet} from '#content/styled-text/ansi.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';

/** The text of each painted line, with and without hyperlinks. */
interface PaintedLines {
  readonly plain: WeakMap<PaneLine, string>;
  readonly linked: WeakMap<PaneLine, string>;
}

/** The painted lines of each style sheet: a line is painted once, however often it is shown. */
const cache = new WeakMap<StyleSheet<UiRole>, PaintedLines>();

/** Returns the line as text with ANSI styles and, where the terminal shows them, hyperlinks. */
export function paintLine(line: PaneLine, {theme, depth, hasHyperlinks}: DisplayOptions): string {
  const styles = theme.styleSheet(depth);
  let painted = cache.get(styles);
  if (painted === undefined) {
    painted = {plain: new WeakMap(), linked: new WeakMap()};
    cache.set(styles, painted);
  }
  const texts = hasHyperlinks ? painted.linked : painted.plain;
  const known = texts.get(line);
  if (known !== undefined) return known;
  const text = ansiLine(line, styles, hasHyperlinks ? line.hyperlinks : undefined);
  texts.set(line, text);
  return text;
}

/** Returns the painted lines; `previous` itself when all are the same, so that the pane does not render again. */
export function paintLines(
  lines: readonly PaneLine[],
  display: DisplayOptions,
  previous: readonly string[] | undefined,
): readonly string[] {
  const next = lines.map((line) => paintLine(line, display));
  if (previous?.length === next.length && next.every((line, index) => line === previous[index])) return previous;
  return next;
}
