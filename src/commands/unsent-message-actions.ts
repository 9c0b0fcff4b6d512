import type {App} from '#app/core/app.ts';
import {widerSearch} from '#app/timeline/lines/empty-timeline-text.ts';
import {mainTimelineNow, selectedOutboxEntry} from '#app/timeline/selection.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {Command} from './command.ts';

/** Returns the command with what it does to a message that is not sent yet, where it has that. */
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

/** Where nothing was found, Enter looks further. */
export function offeredWiderSearch(app: App): Narrow | undefined {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined || shown.window !== undefined) return undefined;
  return shown.timeline?.hasNewest === true ? widerSearch(view.narrow) : undefined;
}
