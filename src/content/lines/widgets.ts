import type {MessageSource, RenderContext} from '#content/render/render-options.ts';
import {pollRows, pollState} from '#content/widgets/poll.ts';
import {todoRows, todoState} from '#content/widgets/todo.ts';

/** What the attachments of a message make of it: a title and a row for each option or task. */
export interface RenderedWidget {
  readonly kind: 'poll' | 'todo';
  readonly rows: readonly string[];
}

/** Undefined when it is an ordinary message, or of a kind that nobody here knows: then its text is shown. */
export function renderedWidget(message: MessageSource, context: RenderContext): RenderedWidget | undefined {
  const {submessages, senderId} = message;
  if (submessages === undefined || submessages.length === 0 || senderId === undefined) return undefined;
  const poll = pollState(submessages, senderId);
  if (poll !== undefined) {
    const nameOf = (id: number) => context.userById?.(id)?.fullName;
    return {kind: 'poll', rows: pollRows(poll, {selfId: context.selfId ?? -1, nameOf})};
  }
  const todo = todoState(submessages, senderId);
  return todo === undefined ? undefined : {kind: 'todo', rows: todoRows(todo)};
}
