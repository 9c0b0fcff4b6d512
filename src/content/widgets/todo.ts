import {lineWithoutControls} from '#std/printable.ts';
import {nextWidgetIndex} from './poll.ts';
import {defaultTodoTitle, widgetCommand} from './widget-command.ts';
import {
  asJsonObject,
  isWidgetIndex,
  maxWidgetIndex,
  parseWidget,
  type WidgetAction,
  type WidgetSubmessage,
} from './widget-submessages.ts';

export interface TodoTask {
  /** `0,canned` for the message's own tasks, `1,12` for the first that user 12 added. */
  readonly key: string;
  readonly task: string;
  readonly description: string;
  readonly done: boolean;
}

export interface TodoState {
  readonly title: string;
  readonly tasks: readonly TodoTask[];
}

type TaskEntry = {raw: string; description: string; done: boolean};
type NewTask = {readonly task: unknown; readonly desc: unknown; readonly done: boolean};

/** Returns the current state of a message's to-do list; undefined when it has none. Invalid submessages are ignored. */
export function todoState(parts: readonly WidgetSubmessage[], messageSenderId: number): TodoState | undefined {
  const start = parseWidget(parts, messageSenderId);
  if (start?.type !== 'todo') return undefined;
  const {task_list_title: title, tasks} = start.extraData;
  return replayTodo(
    typeof title === 'string' ? title : '',
    Array.isArray(tasks) ? tasks : [],
    start.actions,
    messageSenderId,
  );
}

function replayTodo(
  firstTitle: string,
  firstTasks: readonly unknown[],
  actions: readonly WidgetAction[],
  authorId: number,
): TodoState {
  let title = firstTitle;
  const entries = new Map<string, TaskEntry>();
  const names = new Set<string>();
  const add = (sender: number | 'canned', index: number, {task, desc, done}: NewTask): void => {
    if (typeof task !== 'string' || names.has(task)) return;
    const key = `${index},${sender}`;
    const replaced = entries.get(key);
    if (replaced !== undefined) names.delete(replaced.raw);
    names.add(task);
    entries.set(key, {raw: task, description: typeof desc === 'string' ? desc : '', done});
  };
  for (const [index, value] of firstTasks.entries()) {
    const data = asJsonObject(value);
    if (data !== undefined) add('canned', index, {task: data.task, desc: data.desc, done: false});
  }
  for (const {sender, data} of actions) {
    if (data.type === 'new_task' && isWidgetIndex(data.key)) {
      add(sender, data.key, {task: data.task, desc: data.desc, done: data.completed === true});
    } else if (data.type === 'strike') strike(entries, data.key);
    else if (data.type === 'new_task_list_title' && sender === authorId && typeof data.title === 'string') {
      title = data.title;
    }
  }
  const tasks = [...entries].map(([key, {raw, description, done}]) => ({
    key,
    task: lineWithoutControls(raw),
    description: lineWithoutControls(description),
    done,
  }));
  return {title: lineWithoutControls(title) || defaultTodoTitle, tasks};
}

function strike(entries: ReadonlyMap<string, TaskEntry>, key: unknown): void {
  const entry = typeof key === 'string' ? entries.get(key) : undefined;
  if (entry !== undefined) entry.done = !entry.done;
}

/** Returns the list that an unsent `/todo` message will create; undefined when it is not such a message. */
export function todoFromCommand(source: string): TodoState | undefined {
  const command = widgetCommand(source);
  return command?.type === 'todo' ? replayTodo(command.title, command.tasks, [], 0) : undefined;
}

/** Returns the submessage that marks a task as done, or as not done again. */
export function strikeContent(key: string): string {
  return JSON.stringify({type: 'strike', key});
}

/** Returns the submessage that changes the title. */
export function titleContent(title: string): string {
  return JSON.stringify({type: 'new_task_list_title', title});
}

/** Returns the submessage that adds a task; undefined when it is empty or exists, or when no index is left. */
export function newTaskContent(
  todo: TodoState,
  selfId: number,
  {task, description = ''}: {readonly task: string; readonly description?: string},
): string | undefined {
  const name = lineWithoutControls(task);
  const isTaken = todo.tasks.some((other) => other.task === name);
  const key = nextWidgetIndex(
    todo.tasks.map((each) => each.key.split(',')),
    selfId,
  );
  if (name === '' || isTaken || key > maxWidgetIndex) return undefined;
  return JSON.stringify({
    type: 'new_task',
    key,
    task: name,
    desc: lineWithoutControls(description),
    completed: false,
  });
}

/** Returns the title, then one row for each task: `[x] Cake: with cream`. */
export function todoRows(todo: TodoState): readonly string[] {
  const rows = todo.tasks.map(({task, description, done}) => {
    return `[${done ? 'x' : ' '}] ${task}${description === '' ? '' : `: ${description}`}`;
  });
  return [todo.title, ...(rows.length === 0 ? ['No tasks yet'] : rows)];
}
