import type {DisplayOptions} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {ansiLine, type StyleSheet} from '#content/styled-text/ansi.ts';
import type {UiRole} from '#theme/roles.ts';

/** Painted lines by line, for each look. A line is painted once, however often it is shown. */
const painted = new WeakMap<
  StyleSheet<UiRole>,
  {plain: WeakMap<PaneLine, string>; linked: WeakMap<PaneLine, string>}
>();

export function paintLine(line: PaneLine, {theme, depth, hasHyperlinks}: DisplayOptions): string {
  const look = theme.look(depth);
  let kept = painted.get(look);
  if (kept === undefined) {
    kept = {plain: new WeakMap(), linked: new WeakMap()};
    painted.set(look, kept);
  }
  const lines = hasHyperlinks ? kept.linked : kept.plain;
  const known = lines.get(line);
  if (known !== undefined) return known;
  const text = ansiLine(line, look, hasHyperlinks ? line.hyperlinks : undefined);
  lines.set(line, text);
  return text;
}

/** The array from before when all its lines are the same, so that the pane is left alone. */
export function paintLines(
  lines: readonly PaneLine[],
  looks: DisplayOptions,
  before: readonly string[] | undefined,
): readonly string[] {
  const next = lines.map((line) => paintLine(line, looks));
  if (before?.length === next.length && next.every((line, at) => line === before[at])) return before;
  return next;
}
