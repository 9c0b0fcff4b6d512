import type {WidgetAnnotation} from './annotations.ts';
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
  annotations: readonly WidgetAnnotation[],
  idOf: (person: string) => number,
): WidgetEvent[] {
  const keys = Array.from({length: initial}, (_, index) => (type === 'poll' ? `canned,${index}` : `${index},canned`));
  const added = new Map<string, number>();
  return annotations.map((annotation) => {
    if (annotation.kind.startsWith('todo') !== (type === 'todo')) {
      throw new DemoDataError(annotation.source, `%${annotation.kind} does not go with a /${type} message`);
    }
    if ('index' in annotation) {
      const key = keys[annotation.index];
      if (key === undefined) throw new DemoDataError(annotation.source, `there is no number ${annotation.index}`);
      const event = annotation.kind === 'poll-vote' ? {type: 'vote', key, vote: 1} : {type: 'strike', key};
      return {person: annotation.person, content: JSON.stringify(event)};
    }
    const number = (added.get(annotation.person) ?? 0) + 1;
    added.set(annotation.person, number);
    const id = idOf(annotation.person);
    keys.push(type === 'poll' ? `${id},${number}` : `${number},${id}`);
    return {person: annotation.person, content: JSON.stringify(addition(annotation, number))};
  });
}

function addition(annotation: Extract<WidgetAnnotation, {kind: 'vote-option' | 'todo-add'}>, number: number): object {
  return annotation.kind === 'vote-option'
    ? {type: 'new_option', idx: number, option: annotation.option}
    : {type: 'new_task', key: number, task: annotation.task, desc: annotation.description, completed: false};
}
