import type {App} from '#app/core/app.ts';
import {bodyOf} from '#app/timeline/lines/message-body.ts';
import type {Body} from '#app/timeline/message-row.ts';
import {timelineNow} from '#app/timeline/selection.ts';
import {doUndoably} from '#app/undo/perform-undoable.ts';
import type {Message} from '#state/model/message.ts';
import {Lru} from '#std/lru-cache.ts';

/**
 * Shows all of a message, spoilers too, or folds it again. What has nothing to unfold is collapsed to a line, which other
 * clients then show as well.
 */
export function toggleCollapsed(app: App, message: Message): void {
  const {id} = message;
  const isExpanded = app.screen.expanded.has(id);
  const isCollapsed = message.flags.includes('collapsed');
  if (isCollapsed && !isExpanded) {
    doUndoably(app, {kind: 'flags', op: 'remove', flag: 'collapsed', ids: [id]}, 'Expanded the message');
  } else if (isExpanded || hasMore(app, message)) {
    app.update((screen) => {
      const expanded = new Set(screen.expanded);
      if (!expanded.delete(id)) expanded.add(id);
      return {...screen, expanded};
    });
  } else {
    doUndoably(app, {kind: 'flags', op: 'add', flag: 'collapsed', ids: [id]}, 'Collapsed the message');
  }
}

/** Something of it is not shown. */
function hasMore(app: App, message: Message): boolean {
  const typeset = timelineNow(app.frame)?.typeset;
  const body = typeset?.bodies.get(message);
  if (typeset === undefined || body === undefined) return false;
  // Laid out aside, so that what is shown is not taken for it.
  const aside = {...typeset, bodies: new Lru<Message, Body>(1)};
  const whole = bodyOf(aside, message, {...body.wish, isExpanded: true, isHidden: false, isCollapsed: false});
  return whole.lines.length !== body.lines.length || body.wish.isHidden;
}
