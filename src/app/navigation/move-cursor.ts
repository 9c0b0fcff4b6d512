import type {App} from '#app/core/app.ts';
import type {Motion} from '#app/core/motion.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {moveInList} from '#app/lists/move-in-list.ts';
import {moveInMessages} from '#app/timeline/move-in-messages.ts';

/** Moves the cursor of the focused list, or the selection among messages. */
export function moveCursor(app: App, motion: Motion): void {
  const list = focusedList(app.screen);
  if (list === undefined) moveInMessages(app, motion);
  else moveInList(app, list, motion);
}
