import {selectedOutboxEntry} from '#app/timeline/selection.ts';
import type {Command} from './command.ts';

/** Returns a command that calls `runOnUnsent`, if it has one, while the selected message is not sent yet. */
export function withUnsentMessageActions(command: Command): Command {
  const {runOnUnsent, disabledReason, run} = command;
  if (runOnUnsent === undefined) return command;
  return {
    ...command,
    disabledReason: (app) => (selectedOutboxEntry(app) === undefined ? disabledReason?.(app) : undefined),
    run: (app, ...press) => {
      const entry = selectedOutboxEntry(app);
      if (entry === undefined) run(app, ...press);
      else runOnUnsent(app, entry);
    },
  };
}
