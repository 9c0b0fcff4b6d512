import type {App, AppReader} from '#ui/core/app.ts';
import {draftsTabs} from '#ui/core/frame.ts';
import {changeList, cursorRow, targetRows} from '#ui/lists/visible-rows.ts';
import {selectRow} from '#ui/message-pane/selection.ts';
import {openConversation, openView} from '#ui/navigation/navigation.ts';
import {confirmResend, continueDraft, deleteDrafts, discardUnsent, editUnsent, sendDraft} from './draft-actions.ts';
import {type PanelItem, panelRows} from './panel-rows.ts';
import {
  deleteReminders,
  deleteScheduled,
  editReminder,
  goToRemindedMessage,
  openScheduledForm,
  sendScheduledNow,
  unscheduleToDraft,
} from './scheduled-actions.ts';

/** The entry under the panel's cursor. */
export function panelItem(app: AppReader): PanelItem | undefined {
  return itemOf(app, cursorRow(app.frame, 'drafts')?.key);
}

function itemOf(app: AppReader, key: string | undefined): PanelItem | undefined {
  return panelRows(app.frame).find((row) => row.key === key)?.item;
}

/** Enter: opens the entry where it belongs. */
export function openPanelItem(app: App): void {
  const item = panelItem(app);
  switch (item?.kind) {
    case 'draft':
      continueDraft(app, item.draft);
      return;
    case 'outbox':
      openConversation(app, item.entry.conversation);
      selectRow(app, item.entry.id);
      return;
    case 'scheduled':
      unscheduleToDraft(app, item.message, false);
      return;
    case 'reminder':
      goToRemindedMessage(app, item.reminder);
      return;
    default:
  }
}

/** Edits the entry without leaving the panel. */
export function editPanelItem(app: App): void {
  const item = panelItem(app);
  switch (item?.kind) {
    case 'draft':
      continueDraft(app, item.draft, true);
      return;
    case 'outbox':
      editUnsent(app, item.entry, {keepsView: true});
      return;
    case 'scheduled':
      openScheduledForm(app, item.message);
      return;
    case 'reminder':
      editReminder(app, item.reminder);
      return;
    default:
  }
}

export function sendPanelItem(app: App): void {
  const item = panelItem(app);
  switch (item?.kind) {
    case 'draft':
      sendDraft(app, item.draft);
      return;
    case 'outbox':
      confirmResend(app, item.entry);
      return;
    case 'scheduled':
      sendScheduledNow(app, item.message);
      return;
    default:
      app.toast('A reminder cannot be sent', 'warning');
  }
}

/** Opens the entry's conversation without opening the composer. */
export function goToPanelItem(app: App): void {
  const item = panelItem(app);
  if (item?.kind === 'reminder') {
    goToRemindedMessage(app, item.reminder);
    return;
  }
  const target =
    item?.kind === 'draft'
      ? item.draft.target
      : item?.kind === 'outbox'
        ? item.entry.conversation
        : item?.message.conversation;
  if (target === undefined || target.kind === 'none') app.toast('This draft has no destination yet.', 'warning');
  else openConversation(app, target);
}

/** Deletes the selected entries. They are all of the shown tab, so of one kind. */
export function deletePanelItems(app: App): void {
  // The selected ones, or the one under the cursor.
  const items = targetRows(app.frame, 'drafts').flatMap(({key}) => itemOf(app, key) ?? []);
  changeList(app, 'drafts', (list) => ({...list, selected: new Set()}));
  const drafts = items.flatMap((item) => (item.kind === 'draft' ? [item.draft] : []));
  const unsent = items.flatMap((item) => (item.kind === 'outbox' ? [item.entry] : []));
  const scheduled = items.flatMap((item) => (item.kind === 'scheduled' ? [item.message] : []));
  const reminders = items.flatMap((item) => (item.kind === 'reminder' ? [item.reminder] : []));
  deleteDrafts(app, drafts);
  if (unsent.length > 0) discardUnsent(app, unsent);
  deleteScheduled(app, scheduled);
  deleteReminders(app, reminders);
}

/** Shows the nth tab, from 1; clears the selection of the previous tab. */
export function showDraftsTab(app: App, nth: number): void {
  const tab = draftsTabs[nth - 1];
  if (tab === undefined) return;
  changeList(app, 'drafts', (list) => ({...list, selected: new Set()}));
  openView(app, {kind: 'drafts', tab});
}
