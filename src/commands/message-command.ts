import type {Message} from '#state/model/message.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selection.ts';
import type {Command} from './command.ts';

interface MessageCommandOptions extends Partial<Omit<Command, 'id' | 'title' | 'contexts' | 'disabledReason' | 'run'>> {
  /** Returns why the command cannot run on this message. */
  readonly problem?: (app: AppReader, message: Message) => string | undefined;
}

/** Returns a command that runs on the selected message. */
export function messageCommand(
  id: string,
  title: string,
  run: (app: App, message: Message) => void,
  {problem, isChange, ...more}: MessageCommandOptions = {},
): Command {
  return {
    id,
    title,
    contexts: ['msgs'],
    ...more,
    ...(isChange === true && {isChange}),
    disabledReason: (app) => {
      const message = selectedMessage(app);
      if (message === undefined) return noMessageReason(app);
      return (isChange === true ? changeProblem(app) : undefined) ?? problem?.(app, message);
    },
    run: (app) => {
      const message = selectedMessage(app);
      if (message !== undefined) run(app, message);
    },
  };
}

function noMessageReason(app: AppReader): string {
  return selectedOutboxEntry(app) === undefined ? 'No message is selected' : 'This message is not sent yet';
}
