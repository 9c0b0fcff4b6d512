import {type WidgetCommand, widgetCommand} from '#content/widgets/widget-command.ts';

/** Returns the first submessage of a message whose text is a `/poll` or `/todo` command. */
export function widgetSubmessage(content: string): string | undefined {
  const command = widgetCommand(content);
  if (command === undefined) return undefined;
  return JSON.stringify({widget_type: command.type, extra_data: extraData(command)});
}

function extraData(command: WidgetCommand): object {
  if (command.type === 'poll') return {question: command.question, options: command.options};
  return {task_list_title: command.title, tasks: command.tasks};
}
