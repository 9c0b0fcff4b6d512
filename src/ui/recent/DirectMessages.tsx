import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

/** The direct conversations by their latest message. */
export function DirectMessages({rect}: PartProps) {
  return <Lines rect={rect} label="Direct messages" lines={useListLines('directs', rect)} />;
}
