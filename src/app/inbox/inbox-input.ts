import type {App} from '#app/core/app.ts';
import {type CellPosition, type Click, isIn} from '#app/core/part-input.ts';
import {closeFilterInput} from '#app/lists/change-list.ts';
import {clickMainList} from '#app/lists/list-input.ts';
import {scrollList} from '#app/lists/move-in-list.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {previewRect} from '#ui/inbox/inbox-preview.ts';
import {inboxTabsLine} from '#ui/inbox/inbox-tabs.ts';
import {inboxLayout} from '#ui/layout/layout.ts';
import {tabAt} from '#ui/lists/list-position.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {scrollInboxPreview} from './scroll-preview.ts';

/** The tabs of the inbox are above its list. */
export function clickInbox(app: App, click: Click): void {
  const {cell, painted} = click;
  const {tabs} = inboxLayout(painted, screenLayout(painted).main);
  const tab = cell.y === tabs.y ? tabAt(inboxTabsLine(painted, tabs), cell.x - tabs.x) : undefined;
  clickMainList(app, inboxList, click, tab);
}

/** Triage shows one conversation and no rows. */
export function clickTriage(app: App): void {
  closeFilterInput(app);
  app.set({focus: 'main'});
}

/** Scrolls the preview if the mouse is over it, and otherwise the list. */
export function wheelInInbox(app: App, step: 1 | -1, cell: CellPosition): void {
  if (isIn(previewRect(app.frame), cell)) scrollInboxPreview(app, () => step);
  else scrollList(app, inboxList, step);
}
