import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {draftsList} from './panel-rows.ts';

/** Drafts, unsent and scheduled messages, and reminders: one tab each. */
export function DraftsPanel(props: LayeredPartProps) {
  return <List source={draftsList} {...props} />;
}
