import type {ListId, ScreenState} from '#ui/core/screen-state.ts';
import type {View} from '#ui/core/view.ts';
import type {Layout, Rect} from '#ui/layout/layout.ts';

/** Returns the list that has the focus; undefined when messages have it. */
export function focusedList({focus, view}: Pick<ScreenState, 'focus' | 'view'>): ListId | undefined {
  if (focus === 'channels' || focus === 'topics' || focus === 'people') return focus;
  return mainList(view);
}

/** Returns the list that the main pane shows. */
export function mainList(view: View): ListId | undefined {
  switch (view.kind) {
    case 'messages':
      return undefined;
    case 'triage':
      return 'inbox';
    case 'channels':
      return 'browser';
    default:
      return view.kind;
  }
}

/** Returns the pane of a list; undefined when it is not shown. */
export function listPaneRect(id: ListId, view: View, layout: Layout): Rect | undefined {
  if (mainList(view) === id) return layout.main;
  switch (id) {
    case 'channels':
      return layout.channels;
    case 'topics':
      return layout.topics;
    case 'people':
      return layout.people;
    default:
      return undefined;
  }
}
