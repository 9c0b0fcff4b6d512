import type {App} from '#app/app.ts';
import {composeProblem} from '#app/compose/opening.ts';
import {
  deletePanelItems,
  editPanelItem,
  goToPanelItem,
  panelItem,
  sendPanelItem,
} from '#app/drafts/panel-deeds.ts';
import {unsentToDrafts} from '#app/timeline/unsent.ts';
import type {Command} from './command.ts';

const deed = (id: string, title: string, run: (app: App) => void, more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['drafts'],
  isAboutRow: true,
  ...more,
  disabledReason: (app) =>
    panelItem(app) === undefined ? 'There is nothing in this list.' : composeProblem(app),
  run,
});

export const draftCommands: readonly Command[] = [
  deed('draft.edit', 'Edit without leaving the panel; of what is scheduled, the time', editPanelItem, {
    aliases: ['reschedule'],
    hint: 'edit',
    hints: {drafts: 3, 'drafts reminders': 2},
    opensTextField: true,
  }),
  deed('draft.send', 'Send now', sendPanelItem, {aliases: ['send draft'], hint: 'send', hints: {drafts: 2}}),
  deed('draft.delete', 'Delete', deletePanelItems, {
    aliases: ['remove draft', 'discard'],
    hint: 'delete',
    hints: {drafts: 5, 'drafts reminders': 3},
  }),
  {
    id: 'draft.undo',
    title: 'Undo',
    aliases: ['revert', 'take back'],
    contexts: ['drafts'],
    hint: 'undo',
    hints: {drafts: 6, 'drafts reminders': 4},
    run: (app) => app.toast(app.undoStack.undo()),
  },
  {
    id: 'draft.goto',
    title: 'Go to the conversation it belongs to',
    contexts: ['drafts'],
    hint: 'go there',
    hints: {drafts: 4},
    isAboutRow: true,
    disabledReason: (app) => (panelItem(app) === undefined ? 'There is nothing in this list.' : undefined),
    run: goToPanelItem,
  },
  {
    ...deed(
      'draft.unsend',
      'Do not send it: keep it as a draft',
      (app) => {
        const item = panelItem(app);
        if (item?.kind === 'outbox') unsentToDrafts(app, item.entry);
      },
      {aliases: ['unsend', 'cancel sending']},
    ),
    disabledReason: (app) =>
      panelItem(app)?.kind === 'outbox' ? undefined : 'That is for messages on their way.',
  },
];
