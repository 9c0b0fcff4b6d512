import type {PartCursor} from '#ui/part.ts';
import {filterCursor} from './filter-line.ts';
import {selectedListRow} from './list-position.ts';
import type {ListSource} from './list-source.ts';

/** Returns where the terminal's cursor is in a list that has the focus: in its filter, or at the row with the cursor. */
export function listCursor(list: ListSource): Required<PartCursor> {
  return {
    editedText: (frame, layout) => filterCursor(frame, list, layout),
    selectedRows: (frame, layout) => selectedListRow(frame, list, layout),
  };
}
