import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {recentList} from './recent-list.ts';

/** The conversations with the latest messages. */
export function Recent(props: LayeredPartProps) {
  return <List source={recentList} {...props} />;
}
