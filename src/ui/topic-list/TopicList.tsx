import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {topicList} from './topic-list.ts';

/** The topics of a channel: beside its messages, or as a view of its own. */
export function TopicList(props: LayeredPartProps) {
  return <List source={topicList} {...props} />;
}
