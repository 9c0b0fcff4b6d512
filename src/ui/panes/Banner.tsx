import {memo} from 'react';
import {bannerLines} from '#app/chrome/banner.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const Banner = memo(function Banner({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={bannerLines} label="Banner" />;
});
