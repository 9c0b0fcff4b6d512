import {memoByObject} from '#std/memo.ts';
import {bannerRows} from '#ui/banner/banner-lines.ts';
import {composerRows} from '#ui/composer/composer-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import {type Layout, layoutOf} from '#ui/layout/layout.ts';

/** The layout of this frame. */
export const screenLayout = memoByObject(
  (frame: Frame): Layout => layoutOf(frame.screen, composerRows(frame), bannerRows(frame)),
);
