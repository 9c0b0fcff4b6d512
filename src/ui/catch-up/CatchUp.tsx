import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {catchUpList} from './catch-up-list.ts';

/** What happened in an absence. */
export function CatchUp(props: LayeredPartProps) {
  return <List source={catchUpList} {...props} />;
}
