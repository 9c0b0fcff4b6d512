import {useMemo} from 'react';
import type {PaneLine} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {isSameList, listLines, shownList} from './list-lines.ts';

/** Reads a list as its pane shows it: the rows around the cursor, or why there are none. */
export function useListLines(id: ListId, rect: Rect): readonly PaneLine[] {
  const list = useSelect((snapshot) => shownList(snapshot, id, rect), isSameList);
  return useMemo(() => listLines(list), [list]);
}
