import {memo} from 'react';
import {composerLines} from '#app/compose/pane/composer-pane.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const Composer = memo(function Composer({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={composerLines} label="Composer" />;
});
