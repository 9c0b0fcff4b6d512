import type {Frame} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import type {Layout, Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {listPaneRect} from './focused-list.ts';
import {listSources} from './list-sources.ts';

/** Returns the part of the pane that has the list's rows and head; undefined when it is not shown. */
export function listBodyRect(frame: Frame, id: ListId, layout: Layout = screenLayout(frame)): Rect | undefined {
  const pane = listPaneRect(id, frame.screen.view, layout);
  return pane === undefined ? undefined : (listSources[id].bodyRect?.(frame, pane) ?? pane);
}
