import {asciiGlyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import type {Frame} from '#ui/core/frame.ts';
import {timeOptionsOf} from './moment-text.ts';

/** Returns how messages and other Markdown are rendered on this terminal, with times in the account's format. */
export function renderOptionsOf(
  frame: Pick<Frame, 'account' | 'display' | 'minute'>,
  width: number,
): RenderOptions & {readonly now: number} {
  const {zone, hour12, now} = timeOptionsOf(frame);
  const {glyphs, emoji} = frame.display;
  return {
    width: Math.max(1, width),
    glyphs: glyphs === 'ascii' ? asciiGlyphs : unicodeGlyphs,
    emoji,
    zone,
    hour12: hour12 === true,
    now,
  };
}
