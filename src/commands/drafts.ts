import {composeProblem} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import {unsentToDrafts} from '#ui/drafts-panel/outbox-actions.ts';
import {
  deletePanelItems,
  editPanelItem,
  goToPanelItem,
  panelItem,
  sendPanelItem,
} from '#ui/drafts-panel/panel-actions.ts';
import {undoLatest} from '#ui/undo/undo-and-return.ts';
import type {Command} from './command.ts';

const draftCommand = (id: string, title: string, run: (app: App) => void, more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['drafts'],
  isAboutRow: true,
  isChange: true,
  ...more,
  disabledReason: (app) => (panelItem(app) === undefined ? 'This list is empty' : composeProblem(app)),
  run,
});

export const draftCommands: readonly Command[] = [
  draftCommand('draft.edit', 'Edit draft, scheduled message or reminder', editPanelItem, {
    aliases: ['reschedule'],
    hint: 'edit',
    hints: {drafts: 3, 'drafts reminders': 2},
    opensTextField: true,
  }),
  draftCommand('draft.send', 'Send draft now', sendPanelItem, {
    aliases: ['send draft'],
    hint: 'send',
    hints: {drafts: 2},
  }),
  draftCommand('draft.delete', 'Delete draft', deletePanelItems, {
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
    hasEffect: ({frame}) => frame.canUndo,
    run: undoLatest,
  },
  {
    id: 'draft.goto',
    title: 'Go to the conversation',
    contexts: ['drafts'],
    hint: 'go there',
    hints: {drafts: 4},
    isAboutRow: true,
    disabledReason: (app) => (panelItem(app) === undefined ? 'This list is empty' : undefined),
    run: goToPanelItem,
  },
  {
    ...draftCommand(
      'draft.unsend',
      'Cancel sending; keep as a draft',
      (app) => {
        const item = panelItem(app);
        if (item?.kind === 'outbox') unsentToDrafts(app, item.entry);
      },
      {aliases: ['unsend', 'cancel sending']},
    ),
    disabledReason: (app) => (panelItem(app)?.kind === 'outbox' ? undefined : 'Only for messages in the outbox'),
  },
];
