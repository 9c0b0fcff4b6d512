import type {Frame} from '#ui/core/frame.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import type {InboxCursorContext} from './inbox-state.ts';
import {isInboxEmpty} from './is-inbox-empty.ts';
import {isTriageItem} from './triage-row.ts';

/** Returns what the cursor of the inbox is on, which decides the key hints. */
export function inboxCursorContext(frame: Frame): InboxCursorContext {
  if (isInboxEmpty(frame)) return frame.screen.inbox.log.length > 0 ? 'done' : 'nothing';
  const row = cursorRow(frame, 'inbox');
  if (row === undefined) return 'nothing';
  return isTriageItem(row) ? row.conversation.kind : 'group';
}
