import type {App} from './core/app.ts';
import type {Motion} from './core/motion.ts';
import {focusedList} from './lists/focused-list.ts';
import {moveInList} from './lists/motion.ts';
import {moveInMessages} from './timeline/motion.ts';

export function move(app: App, motion: Motion): void {
  const list = focusedList(app.screen);
  if (list === undefined) moveInMessages(app, motion);
  else moveInList(app, list, motion);
}
