import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {peopleList} from './people-list.ts';

/** The people of the organization, those who are here first. */
export function People(props: LayeredPartProps) {
  return <List source={peopleList} {...props} />;
}
