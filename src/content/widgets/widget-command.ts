/** A parsed message that begins with `/poll` or `/todo`. */
export type WidgetCommand =
  | {readonly type: 'poll'; readonly question: string; readonly options: readonly string[]}
  | {readonly type: 'todo'; readonly title: string; readonly tasks: readonly CommandTask[]};

export interface CommandTask {
  readonly task: string;
  readonly desc: string;
}

export const defaultTodoTitle = 'Task list';

const command = /^\/(poll|todo)(?=\s|$)/;

/** Parses a `/poll` or `/todo` message; undefined for other messages. Each line after the first is an option or a task. */
export function widgetCommand(source: string): WidgetCommand | undefined {
  const type = command.exec(source)?.[1];
  if (type === undefined) return undefined;
  const [first = '', ...rest] = source.split('\n');
  const title = first.slice(type.length + 1).trim();
  const lines = rest.filter((line) => line.trim() !== '').map(withoutBullet);
  if (type === 'poll') return {type, question: title, options: lines.filter((line) => line !== '')};
  // Without other lines it has a title of its own; otherwise the list is shown with one.
  const todoTitle = title === '' && rest.length === 0 ? defaultTodoTitle : title;
  return {type: 'todo', title: todoTitle, tasks: lines.map(commandTask)};
}

function withoutBullet(line: string): string {
  return line.trim().replace(/^[-*]\s*/, '');
}

/** Parses a task such as `Cake: with cream`. */
function commandTask(line: string): CommandTask {
  const colon = line.indexOf(':');
  if (colon < 0) return {task: line, desc: ''};
  return {task: line.slice(0, colon).trim(), desc: line.slice(colon + 1).trim()};
}
