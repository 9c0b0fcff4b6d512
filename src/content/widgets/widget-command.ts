/** A parsed message that begins with `/poll` or `/todo`. */
type WidgetCommand =
  | {readonly type: 'poll'; readonly question: string; readonly options: readonly string[]}
  | {readonly type: 'todo'; readonly title: string; readonly tasks: readonly CommandTask[]};

interface CommandTask {
  readonly task: string;
  readonly desc: string;
}

const command = /^\/(poll|todo)(?=\s|$)/;

/** Parses a `/poll` or `/todo` message; undefined for other messages. Each line after the first is an option or a task. */
export function widgetCommand(source: string): WidgetCommand | undefined {
  const type = command.exec(source)?.[1];
  if (type === undefined) return undefined;
  const [first = '', ...rest] = source.split('\n');
  const title = first.slice(type.length + 1).trim();
  const lines = rest.map(withoutBullet).filter((line) => line !== '');
  if (type === 'poll') return {type, question: title, options: lines};
  return {type: 'todo', title, tasks: lines.map(commandTask)};
}

function withoutBullet(line: string): string {
  return line.trim().replace(/^[-*]\s*/, '');
}

/** Parses a task such as `Cake: with cream`. A colon without a blank belongs to the task, as in `12:30 lunch`. */
function commandTask(line: string): CommandTask {
  const [task = '', ...desc] = line.split(': ');
  return {task: task.trim(), desc: desc.join(': ').trim()};
}
