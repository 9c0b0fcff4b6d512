import type {App} from '#app/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {textOf} from './frame-fixture.ts';
import {overlayLines} from './part-lines.ts';

/** Returns the top overlay as text; empty when there is none. */
export function overlayText(frame: Frame): readonly string[] {
  return textOf(overlayLines(frame));
}

/** Returns the top overlay's non-blank rows without the box. */
export function overlayRows({frame}: Pick<App, 'frame'>): readonly string[] {
  return overlayText(frame)
    .filter((line) => /^[│|]/.test(line))
    .map((line) => line.slice(1, -1).trimEnd())
    .filter((line) => line.trim() !== '');
}
