import type {WidgetMark} from './annotations.ts';
import {DemoDataError} from './demo-data-error.ts';

/** A submessage that changes a poll or a to-do list. */
export interface WidgetEvent {
  readonly person: string;
  readonly content: string;
}

/**
 * Returns the submessages that clients would have sent for the widget annotations of a message. `initial` is the number
 * of options or tasks in the message itself; added ones are numbered after them.
 */
export function widgetEvents(
  type: 'poll' | 'todo',
  initial: number,
  marks: readonly WidgetMark[],
  idOf: (person: string) => number,
): WidgetEvent[] {
  const keys = Array.from({length: initial}, (_, index) =>
    type === 'poll' ? `canned,${index}` : `${index},canned`,
  );
  const added = new Map<string, number>();
  return marks.map((mark) => {
    if (mark.kind.startsWith('todo') !== (type === 'todo')) {
      throw new DemoDataError(mark.source, `%${mark.kind} does not go with a /${type} message`);
    }
    if ('index' in mark) {
      const key = keys[mark.index];
      if (key === undefined) throw new DemoDataError(mark.source, `there is no number ${mark.index}`);
      const event = mark.kind === 'poll-vote' ? {type: 'vote', key, vote: 1} : {type: 'strike', key};
      return {person: mark.person, content: JSON.stringify(event)};
    }
    const number = (added.get(mark.person) ?? 0) + 1;
    added.set(mark.person, number);
    const id = idOf(mark.person);
    keys.push(type === 'poll' ? `${id},${number}` : `${number},${id}`);
    return {person: mark.person, content: JSON.stringify(addition(mark, number))};
  });
}

function addition(mark: Extract<WidgetMark, {kind: 'vote-option' | 'todo-add'}>, number: number): object {
  return mark.kind === 'vote-option'
    ? {type: 'new_option', idx: number, option: mark.option}
    : {type: 'new_task', key: number, task: mark.task, desc: mark.description, completed: false};
}
