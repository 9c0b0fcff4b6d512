import {composeProblem} from '#app/compose/opening.ts';
import type {App} from '#app/core/app.ts';
import {
  deletePanelItems,
  editPanelItem,
  goToPanelItem,
  panelItem,
  sendPanelItem,
} from '#app/drafts/panel-deeds.ts';
import {unsentToDrafts} from '#app/timeline/unsent.ts';
import type {Command} from './command.ts';

const deed = (id: string, title: string, run: (app: App) => void, hint?: string): Command => ({
  id,
  title,
  contexts: ['drafts'],
  ...(hint !== undefined && {hint}),
  disabledReason: (app) =>
    panelItem(app) === undefined ? 'There is nothing in this list.' : composeProblem(app),
  run,
});

export const draftCommands: readonly Command[] = [
  deed('draft.edit', 'Edit without leaving the panel; of what is scheduled, the time', editPanelItem, 'edit'),
  deed('draft.send', 'Send now', sendPanelItem, 'send'),
  deed('draft.delete', 'Delete', deletePanelItems, 'delete'),
  {
    id: 'draft.undo',
    title: 'Undo',
    contexts: ['drafts'],
    hint: 'undo',
    run: (app) => app.toast(app.undoStack.undo()),
  },
  {
    id: 'draft.goto',
    title: 'Go to the conversation it belongs to',
    contexts: ['drafts'],
    hint: 'go there',
    disabledReason: (app) => (panelItem(app) === undefined ? 'There is nothing in this list.' : undefined),
    run: goToPanelItem,
  },
  {
    ...deed('draft.unsend', 'Do not send it: keep it as a draft', (app) => {
      const item = panelItem(app);
      if (item?.kind === 'outbox') unsentToDrafts(app, item.entry);
    }),
    disabledReason: (app) =>
      panelItem(app)?.kind === 'outbox' ? undefined : 'That is for messages on their way.',
  },
];
