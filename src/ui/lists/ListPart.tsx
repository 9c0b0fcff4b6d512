import type {ListId} from '#ui/core/screen-state.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import {type LayeredPartProps, Lines} from '#ui/Lines.tsx';
import {isSameList, listLines, shownList} from './list-lines.ts';

interface ListPartProps extends LayeredPartProps {
  readonly id: ListId;
  readonly label: string;
}

/** A list: the rows around the cursor, or why there are none. On a narrow screen it may lie over the messages. */
export function ListPart({id, ...place}: ListPartProps) {
  const list = useSelect((snapshot) => shownList(snapshot, id, place.rect), isSameList);
  return <Lines {...place} lines={listLines(list)} />;
}
