import {memo} from 'react';
import {statusLines} from '#app/chrome/status-line.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const StatusLine = memo(function StatusLine({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={statusLines} label="Status" />;
});
