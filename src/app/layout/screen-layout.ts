import {viewBanner} from '#app/chrome/banner.ts';
import {composerRows} from '#app/compose/pane/composer-pane.ts';
import type {Frame} from '#app/core/frame.ts';
import {type Layout, layoutOf} from './layout.ts';

/** The layout of this frame. */
export function screenLayout(frame: Frame): Layout {
  return layoutOf(frame.screen, composerRows(frame), viewBanner(frame) !== undefined);
}
