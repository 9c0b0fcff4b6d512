import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

/** Drafts, unsent and scheduled messages, and reminders: one tab each. */
export function DraftsPanel({rect}: PartProps) {
  return <Lines rect={rect} label="Drafts" lines={useListLines('drafts', rect)} />;
}
