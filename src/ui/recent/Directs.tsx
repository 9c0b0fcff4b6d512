import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {directList} from './recent-list.ts';

/** The direct conversations with the latest messages. */
export function Directs(props: LayeredPartProps) {
  return <List source={directList} {...props} />;
}
