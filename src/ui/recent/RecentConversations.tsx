import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

/** The conversations by their latest message. */
export function RecentConversations({rect}: PartProps) {
  return <Lines rect={rect} label="Recent conversations" lines={useListLines('recent', rect)} />;
}
