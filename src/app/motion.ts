import type {App} from './core/app.ts';
import {focusedList} from './lists/focused-list.ts';
import {moveInList} from './lists/motion.ts';
import {moveInMessages} from './timeline/motion.ts';

export interface StepMotion {
  readonly by: 'item' | 'page' | 'half' | 'line';
  readonly step: 1 | -1;
}

/** Where to go within what has the keys. */
export type Motion = StepMotion | {readonly to: 'first' | 'last'};

export function move(app: App, motion: Motion): void {
  const list = focusedList(app.screen);
  if (list === undefined) moveInMessages(app, motion);
  else moveInList(app, list, motion);
}
