import type {LayeredPartProps} from '#ui/Lines.tsx';
import {ListPart} from '#ui/Lines.tsx';

/** The topics of a channel: beside its messages, or as a view of its own. */
export function TopicList(props: LayeredPartProps) {
  return <ListPart {...props} id="topics" label="Topics" />;
}
