import {useCallback} from 'react';
import type {Frame} from '#ui/core/frame.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import {type LayeredPartProps, Lines} from '#ui/Lines.tsx';
import {isSameList, listLines, shownList} from './list-lines.ts';
import type {ListSource} from './list-source.ts';

interface ListProps extends LayeredPartProps {
  readonly source: ListSource;
}

/** A list: the rows around the cursor, or why there are none. On a narrow screen it may lie over the messages. */
export function List({source, ...place}: ListProps) {
  const {rect} = place;
  const list = useSelect(
    useCallback((snapshot: Frame) => shownList(snapshot, source, rect), [source, rect]),
    isSameList,
  );
  return <Lines {...place} lines={listLines(list)} />;
}
