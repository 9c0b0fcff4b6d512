import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {Pane} from '#ui/Pane.tsx';

const lines = listPane('recent');

export const RecentList = memo(function RecentList({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={lines} label="Recent conversations" />;
});
