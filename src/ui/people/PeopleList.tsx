import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

/** The people of the organization, those who are here first. */
export function PeopleList({rect}: PartProps) {
  return <Lines rect={rect} label="People" lines={useListLines('people', rect)} />;
}
