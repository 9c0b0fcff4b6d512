import {bannerRows} from '#app/chrome/banner.ts';
import {composerRows} from '#app/compose/pane/composer-pane.ts';
import type {Frame} from '#app/core/frame.ts';
import {memoizeLast} from '#std/memo.ts';
import {type Layout, layoutOf} from './layout.ts';

/** The layout of this frame. */
export const screenLayout = memoizeLast(
  (frame: Frame): Layout => layoutOf(frame.screen, composerRows(frame), bannerRows(frame)),
);
