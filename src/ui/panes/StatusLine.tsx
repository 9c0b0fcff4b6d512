import {memo} from 'react';
import type {Rect} from '#app/layout.ts';
import {statusLines} from '#app/status-line.ts';
import {Pane} from '#ui/Pane.tsx';

export const StatusLine = memo(function StatusLine({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={statusLines} label="Status" />;
});
