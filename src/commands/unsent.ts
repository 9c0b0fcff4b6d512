import type {App} from '#app/core/app.ts';
import {openNarrow} from '#app/navigation.ts';
import {widerSearch} from '#app/timeline/empty-words.ts';
import {selectedOutbox, timelineNow} from '#app/timeline/selection.ts';
import {editUnsent, retryUnsent, unsentToDrafts} from '#app/timeline/unsent.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Command} from './command.ts';

const instead: Readonly<Record<string, (app: App, entry: OutboxEntry) => void>> = {
  reply: retryUnsent,
  'msg.edit': editUnsent,
  'msg.delete': unsentToDrafts,
};

/** On a message that is not sent, the keys for replying, editing and deleting are about sending it. */
export function withUnsent(command: Command): Command {
  const act = instead[command.id];
  if (act === undefined) return command;
  return {
    ...command,
    disabledReason: (app) =>
      otherwise(app, command.id, act) === undefined ? command.disabledReason?.(app) : undefined,
    run: (app, ...press) => {
      const other = otherwise(app, command.id, act);
      if (other === undefined) command.run(app, ...press);
      else other();
    },
  };
}

function otherwise(
  app: App,
  id: string,
  act: (app: App, entry: OutboxEntry) => void,
): (() => void) | undefined {
  const entry = selectedOutbox(app);
  if (entry !== undefined) return () => act(app, entry);
  const wider = id === 'reply' ? offeredSearch(app) : undefined;
  return wider === undefined ? undefined : () => openNarrow(app, wider);
}

/** Where nothing was found, Enter looks further. */
export function offeredSearch(app: App): Narrow | undefined {
  const {view} = app.screen;
  const shown = timelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined || shown.window !== undefined) return undefined;
  return shown.timeline?.hasNewest === true ? widerSearch(view.narrow) : undefined;
}
