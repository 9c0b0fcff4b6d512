import {useSelect} from '#ui/hooks/use-select.ts';
import {type LayeredPartProps, Lines} from '#ui/Lines.tsx';
import {isSameList, listLines, shownList} from './list-lines.ts';
import type {ListSource} from './list-source.ts';

interface ListProps extends LayeredPartProps {
  readonly source: ListSource;
}

/** A list: the rows around the cursor, or why there are none. On a narrow screen it may lie over the messages. */
export function List({source, ...place}: ListProps) {
  const list = useSelect((snapshot) => shownList(snapshot, source, place.rect), isSameList);
  return <Lines {...place} lines={listLines(list)} />;
}
