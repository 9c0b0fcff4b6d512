import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

interface TopicListProps extends PartProps {
  /** Whether it lies over the messages, on a narrow screen. */
  readonly isFloating?: boolean;
}

/** The topics of a channel: beside its messages, or as a view of its own. */
export function TopicList({rect, isFloating = false}: TopicListProps) {
  return <Lines rect={rect} label="Topics" lines={useListLines('topics', rect)} isFloating={isFloating} />;
}
