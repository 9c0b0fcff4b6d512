import {heldWarnings} from '#app/composer/check-message.ts';
import {pushSent} from '#app/composer/deliver-message.ts';
import {type RestoreOptions, restoreDraft} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {openConversation, openMessage, openView, visitedConversations} from '#app/navigation/navigation.ts';
import {confirm, openPicker} from '#app/overlays/picker.ts';
import {clearSelectionOfOthers} from '#app/targets/selection.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {draftsTabs} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withDraftsKey, withUndoKey} from '#ui/core/toast-message.ts';
import {
  draftDestinationTitle,
  draftsList,
  type PanelItem,
  panelRows,
  targetExists,
} from '#ui/drafts-panel/panel-rows.ts';
import {conversationColor} from '#ui/format/conversation-name.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {cursorRow, targetRows} from '#ui/lists/visible-rows.ts';
import {omnibox} from '#ui/search/omnibox.ts';
import {latinText} from '#ui/text/send-keys.ts';
import {sendWarnings} from '#ui/warnings/send-warnings.ts';
import {
  deleteReminders,
  deleteScheduled,
  editReminder,
  openScheduledForm,
  sendScheduledNow,
  unscheduleToDraft,
} from './scheduled-actions.ts';

/**
 * Opens a draft in its conversation, or with `keepsView` below the panel. A draft without a valid destination asks for
 * one first.
 */
function continueDraft(app: App, draft: LocalDraft, keepsView = false): void {
  const title = composed`New destination for: ${draftDestinationTitle(app.state, draft.target)}`;
  const move = (opened: App, target: Conversation) => {
    const moved = opened.session.drafts.edit(draft.id, {target, content: draft.content});
    if (moved !== undefined) restoreDraft(opened, moved, {keepsView});
  };
  if (targetExists(app.state, draft.target)) restoreDraft(app, draft, {keepsView});
  else openDestinationPicker(app, title, move);
}

/** Asks, and sends a draft; the question shows the same warnings as the composer, or else the text. */
function sendDraft(app: App, draft: LocalDraft): void {
  const {target, content} = draft;
  if (target.kind === 'none' || !targetExists(app.state, target)) {
    continueDraft(app, draft, true);
    return;
  }
  const warnings = [
    ...heldWarnings(app, draft.id),
    ...sendWarnings(app.state, target, content, {nowMs: app.clock.now()}),
  ];
  const blocking = warnings.find(({isBlocking}) => isBlocking);
  const title = conversationTitle(app.state, target);
  if (blocking !== undefined) {
    app.toast(blocking.text, 'warning');
    return;
  }
  confirm(app, {
    title: composed`Send to ${title}?`,
    yes: 'Send',
    detail: warnings.map(({text}) => text).join(' ') || excerpt(content, messageContext(app.state)),
    onYes: (opened) => {
      const {id} = opened.session.outbox.send({conversation: target, content, draftId: draft.id});
      pushSent(opened, id, target);
      opened.toast(composed`Sent to ${title}`);
    },
  });
}

/** Deletes drafts at once, here and on the server; undo restores them. */
function deleteDrafts(app: App, drafts: readonly LocalDraft[]): void {
  const {session} = app;
  const removed = drafts.flatMap(({id}) => session.drafts.remove(id) ?? []);
  const [first, ...others] = removed;
  if (first === undefined) return;
  const label =
    others.length === 0
      ? composed`Deleted the draft for ${draftDestinationTitle(app.state, first.target)}`
      : `Deleted ${removed.length} drafts`;
  app.undoStack.push({
    label,
    undo: () => {
      for (const draft of removed) session.drafts.restore(draft);
      return others.length === 0 ? 'Draft restored' : `${removed.length} drafts restored`;
    },
    redo: () => redoDeletion(app, removed),
  });
  app.toast(withUndoKey(label));
}

/** Deletes drafts again. What was changed since they were restored stays. */
function redoDeletion(app: App, drafts: readonly LocalDraft[]): undefined {
  const unchanged = drafts.filter(({id, content}) => app.session.drafts.get(id)?.content === content);
  if (unchanged.length < drafts.length) throw new Error('the draft was changed or sent since.');
  deleteDrafts(app, unchanged);
}

interface DestinationRow extends PickerRow {
  readonly conversation: Conversation;
}

/** Opens a picker of conversations by name; `#channel>topic` also accepts a new topic. */
function openDestinationPicker(app: App, title: string, chosen: (app: App, conversation: Conversation) => void): void {
  openPicker<DestinationRow>(app, {
    id: 'destination',
    title,
    placeholder: '#channel>topic, or a name',
    rowsShown: 12,
    rows: (frame, query) => {
      const {account} = frame;
      const visits = visitedConversations(frame);
      const sources = {commands: [], help: [], accounts: [], visits, remap: latinText};
      const known = omnibox(account, query, sources).rows.flatMap(({target, title: label, ranges, detail}) => {
        if (target.kind !== 'conversation') return [];
        const tint = conversationColor(account, target.conversation);
        return [{key: label, label, detail, matched: ranges, tint, conversation: target.conversation}];
      });
      const written = query.includes('>') ? parseDestination(account, query) : undefined;
      if (written?.kind !== 'conversation') return known;
      const label = conversationTitle(account, written.conversation);
      if (known.some((row) => row.label === label)) return known;
      const tint = conversationColor(account, written.conversation);
      return [{key: 'written', label, detail: 'new topic', tint, conversation: written.conversation}, ...known];
    },
    accept: (opened, {conversation}) => {
      opened.closeOverlay();
      chosen(opened, conversation);
    },
    hint: {Enter: 'chooses', Esc: 'closes'},
  });
}

const alreadySendingText = 'This message is being sent: it cannot be changed now.';

/** The question before a message is sent again, by its status; no question where it is sent without it. */
const resendQuestions: Readonly<Partial<Record<OutboxStatus, readonly [title: string, yes: string]>>> = {
  unconfirmed: ['Send again? It may have arrived already', 'Send again'],
  failed: ['Try to send this message again?', 'Send again'],
  held: ['Send this message now?', 'Send now'],
};

/** Asks whether to send again a message that failed, may have arrived, or waited long. */
export function confirmResend(app: App, {id, status, content, conversation}: OutboxEntry): void {
  const question = resendQuestions[status];
  if (question === undefined) {
    app.toast(status === 'queued' ? 'This message is sent when the server is reachable' : alreadySendingText);
    return;
  }
  const [title, yes] = question;
  confirm(app, {
    title,
    yes,
    detail: excerpt(content, messageContext(app.state)),
    onYes: (from) => {
      const isQueued = from.session.outbox.resend(id);
      if (isQueued) pushSent(from, id, conversation);
      const isGone = from.state.outbox.every((entry) => entry.id !== id);
      from.toast(isQueued ? 'Sending again' : isGone ? 'This message has arrived' : alreadySendingText);
    },
  });
}

/** Moves an unsent message back into the composer. */
export function editUnsent(app: App, {id}: OutboxEntry, options: RestoreOptions = {}): void {
  const draft = app.session.outbox.toDraft(id);
  if (draft === undefined) app.toast(alreadySendingText, 'warning');
  else restoreDraft(app, draft, options);
}

export function unsentToDrafts(app: App, {id}: OutboxEntry): void {
  const draft = app.session.outbox.toDraft(id);
  app.toast(
    draft === undefined ? alreadySendingText : withDraftsKey('Saved as a draft'),
    draft === undefined ? 'warning' : 'plain',
  );
}

/** Discards unsent messages. Undo restores them as drafts, so that nothing is sent twice. */
function discardUnsent(app: App, entries: readonly OutboxEntry[]): void {
  const {session} = app;
  const discarded = entries.flatMap(({id}) => session.outbox.discard(id) ?? []);
  const [first, ...others] = discarded;
  if (first === undefined) {
    app.toast('Already being sent', 'warning');
    return;
  }
  const label =
    others.length === 0
      ? composed`Not sent to ${conversationTitle(app.state, first.conversation)}`
      : `Not sent: ${discarded.length} messages`;
  let restored: readonly LocalDraft[] = [];
  app.undoStack.push({
    label,
    undo: () => {
      restored = discarded.flatMap(
        ({conversation, content}) => session.drafts.edit(undefined, {target: conversation, content}) ?? [],
      );
      return others.length === 0 ? 'Restored as a draft' : 'Restored as drafts';
    },
    redo: () => redoDeletion(app, restored),
  });
  app.toast(withUndoKey(label));
}

/** The entry under the panel's cursor. */
export function panelItem(app: AppReader): PanelItem | undefined {
  return itemOf(app, cursorRow(app.frame, draftsList)?.key);
}

/** Returns the entry of a row. One of another organization has none here: keys reach it only there. */
function itemOf(app: AppReader, key: string | undefined): PanelItem | undefined {
  const row = panelRows(app.frame).find((each) => each.key === key);
  return row?.organization === undefined ? row?.item : undefined;
}

/** Enter: opens the entry where it belongs. */
export function openPanelItem(app: App): void {
  const item = panelItem(app);
  if (item?.kind === 'draft') continueDraft(app, item.draft);
  else if (item?.kind === 'scheduled') unscheduleToDraft(app, item.message);
  else goToPanelItem(app);
  if (item?.kind === 'outbox') selectRow(app, item.entry.id);
}

/** Edits the entry without leaving the panel. */
export function editPanelItem(app: App): void {
  const item = panelItem(app);
  if (item?.kind === 'draft') continueDraft(app, item.draft, true);
  else if (item?.kind === 'outbox') editUnsent(app, item.entry, {keepsView: true});
  else if (item?.kind === 'scheduled') openScheduledForm(app, item.message);
  else if (item?.kind === 'reminder') editReminder(app, item.reminder);
}

export function sendPanelItem(app: App): void {
  const item = panelItem(app);
  if (item?.kind === 'draft') sendDraft(app, item.draft);
  else if (item?.kind === 'outbox') confirmResend(app, item.entry);
  else if (item?.kind === 'scheduled') sendScheduledNow(app, item.message);
  else app.toast('A reminder cannot be sent', 'warning');
}

/** Opens the entry's conversation without opening the composer. */
export function goToPanelItem(app: App): void {
  const row = cursorRow(app.frame, draftsList);
  const item = panelItem(app);
  if (item?.kind === 'reminder')
    openMessage(app, item.reminder.reminderTargetMessageId, 'The reminder’s message was not found.');
  else if (row?.target?.kind === 'conversation') openConversation(app, row.target.conversation);
  else if (item !== undefined) app.toast('This draft has no destination yet.', 'warning');
}

/** Deletes the selected entries. They are all of the shown tab, so of one kind. */
export function deletePanelItems(app: App): void {
  // The selected ones, or the one under the cursor.
  const items = targetRows(app.frame, draftsList).flatMap(({key}) => itemOf(app, key) ?? []);
  changeList(app, 'drafts', (list) => ({...list, selected: new Set()}));
  const unsent = items.filter((item) => item.kind === 'outbox').map((item) => item.entry);
  if (unsent.length > 0) discardUnsent(app, unsent);
  deleteDrafts(
    app,
    items.filter((item) => item.kind === 'draft').map((item) => item.draft),
  );
  deleteScheduled(
    app,
    items.filter((item) => item.kind === 'scheduled').map((item) => item.message),
  );
  deleteReminders(
    app,
    items.filter((item) => item.kind === 'reminder').map((item) => item.reminder),
  );
}

/** Shows the nth tab, from 1; clears the selection of the previous tab. */
export function showDraftsTab(app: App, nth: number): void {
  const tab = draftsTabs[nth - 1];
  if (tab === undefined) return;
  clearSelectionOfOthers(app);
  changeList(app, 'drafts', (list) => ({...list, selected: new Set()}));
  openView(app, {kind: 'drafts', tab});
}
