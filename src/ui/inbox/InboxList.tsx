import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {inboxList} from './inbox-list.ts';

/** The unread conversations. */
export function InboxList(props: LayeredPartProps) {
  return <List source={inboxList} {...props} />;
}
