const widgetCommand = /^\/(poll|todo)(?=\s|$)/;

/** The first submessage of a message whose text is a `/poll` or `/todo` command. */
export function widgetOf(content: string): string | undefined {
  const type = widgetCommand.exec(content)?.[1];
  if (type === undefined) return undefined;
  const [first = '', ...rest] = content.split('\n');
  const title = first.slice(type.length + 1).trim();
  const lines = rest.map((line) => line.trim()).filter((line) => line !== '');
  const extraData = type === 'poll' ? poll(title, lines) : todo(title, lines);
  return JSON.stringify({widget_type: type, extra_data: extraData});
}

function poll(question: string, lines: readonly string[]): object {
  return {question, options: lines.map((line) => line.replace(/^[-*]\s*/, '')).filter((line) => line !== '')};
}

function todo(title: string, lines: readonly string[]): object {
  const tasks = lines.map((line) => {
    const text = line.replace(/^[-*]\s*/, '');
    const colon = text.indexOf(':');
    return colon < 0
      ? {task: text, desc: ''}
      : {task: text.slice(0, colon).trim(), desc: text.slice(colon + 1).trim()};
  });
  return {task_list_title: title === '' ? 'Task list' : title, tasks};
}
