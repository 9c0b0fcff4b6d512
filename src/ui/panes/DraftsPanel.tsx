import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

const lines = listPane('drafts');

export const DraftsPanel = memo(function DraftsPanel({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={lines} label="Drafts" />;
});
