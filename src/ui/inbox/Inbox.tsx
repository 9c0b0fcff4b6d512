import {sameArguments} from '#std/memo.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {inboxLines} from './inbox-lines.ts';

/** The unread conversations, and beside or below them the messages of the one under the cursor. */
export function Inbox({rect}: PartProps) {
  const lines = useSelect((snapshot) => inboxLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Inbox" lines={lines} />;
}
