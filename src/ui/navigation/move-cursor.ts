import type {App} from '#ui/core/app.ts';
import type {Motion} from '#ui/core/motion.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {moveInList} from '#ui/lists/move-in-list.ts';
import {moveInMessages} from '#ui/message-pane/move-in-messages.ts';

/** Moves the cursor of the focused list, or the selection among messages. */
export function moveCursor(app: App, motion: Motion): void {
  const list = focusedList(app.screen);
  if (list === undefined) moveInMessages(app, motion);
  else moveInList(app, list, motion);
}
