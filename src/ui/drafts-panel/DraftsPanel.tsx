import type {LayeredPartProps} from '#ui/Lines.tsx';
import {ListPart} from '#ui/Lines.tsx';

/** Drafts, unsent and scheduled messages, and reminders: one tab each. */
export function DraftsPanel(props: LayeredPartProps) {
  return <ListPart {...props} id="drafts" label="Drafts" />;
}
