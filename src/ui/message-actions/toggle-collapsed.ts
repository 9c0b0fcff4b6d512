import type {Message} from '#state/model/message.ts';
import type {App} from '#ui/core/app.ts';
import {cachedBody, newBody} from '#ui/message-pane/lines/typeset.ts';
import {mainTimelineNow} from '#ui/message-pane/selection.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';

/**
 * Expands a message with its spoilers, or folds it. A message with nothing to expand is collapsed to one line, which
 * other clients show too.
 */
export function toggleCollapsed(app: App, message: Message): void {
  const {id} = message;
  const isExpanded = app.screen.expandedMessageIds.has(id);
  const isCollapsed = message.flags.includes('collapsed');
  if (isCollapsed && !isExpanded) {
    performUndoable(app, {kind: 'flags', op: 'remove', flag: 'collapsed', ids: [id]}, 'Expanded the message');
  } else if (isExpanded || hasMore(app, message)) {
    app.update((screen) => {
      const expanded = new Set(screen.expandedMessageIds);
      if (!expanded.delete(id)) expanded.add(id);
      return {...screen, expandedMessageIds: expanded};
    });
  } else {
    performUndoable(app, {kind: 'flags', op: 'add', flag: 'collapsed', ids: [id]}, 'Collapsed the message');
  }
}

/** Whether part of the message is hidden. */
function hasMore(app: App, message: Message): boolean {
  const typeset = mainTimelineNow(app.frame)?.typeset;
  const body = typeset === undefined ? undefined : cachedBody(typeset, message);
  if (typeset === undefined || body === undefined) return false;
  const whole = newBody(typeset, message, {
    ...body.bodyOptions,
    isExpanded: true,
    isHidden: false,
    isCollapsed: false,
  });
  return whole.lines.length !== body.lines.length || body.bodyOptions.isHidden;
}
