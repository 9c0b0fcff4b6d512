import {closeComposer, openComposer} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {linksOf} from '#app/links/message-links.ts';
import {clearSelection} from '#app/lists/move-in-list.ts';
import {openLinkList} from '#app/message-actions/link-picker.ts';
import {openReactionPicker, type ReactionChange, reactionChange, thumbsUp} from '#app/message-actions/reactions.ts';
import {
  conversationUnderCursor,
  type ListedConversation,
  paintedUnreadIds,
  targetConversations,
} from '#app/targets/action-target.ts';
import {markReadActions} from '#app/triage/mark-read.ts';
import {advancePast, logTriageAction, performRowAction} from '#app/triage/perform-row-action.ts';
import {withFacts} from '#content/message-facts.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {markReadProblem} from '#ui/core/change-problem.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {previewUnderCursor} from '#ui/inbox/inbox-preview.ts';
import {focusedList} from '#ui/list-table.ts';

/**
 * Opens the composer for a reply. Once it is sent, the messages that were unread when the user started are
 * marked read, and in the inbox the cursor advances.
 */
export function replyToRow(app: App): void {
  const item = conversationUnderCursor(app);
  if (item === undefined) return;
  writeTo(app, item.conversation, item, paintedUnreadIds(app, [item.key]));
}

function writeTo(app: App, target: DraftTarget, item: ListedConversation, paintedIds: readonly number[]): void {
  openComposer(app, {
    target,
    repliesTo: paintedIds.at(-1),
    onSent: () => {
      closeComposer(app);
      afterReply(app, item, paintedIds);
    },
  });
}

function afterReply(app: App, item: ListedConversation, paintedIds: readonly number[]): void {
  const stays = app.settings.afterReply === 'stay' || focusedList(app.screen) !== inboxList;
  // The conversation may have been renamed.
  const keys = [app.state.unreads.byId.get(paintedIds.at(-1) ?? 0) ?? item.key];
  const problem = markReadProblem(app);
  const ids = problem === undefined ? paintedIds.filter((id) => app.state.unreads.byId.has(id)) : [];
  const read = `marked read (${ids.length})`;
  const label = composed`Replied in ${item.label}, ${read}`;
  const undoneText = composed`Unread again: ${item.label} (${ids.length}) · the reply stays`;
  const toastText = `${replyText(app, item)}, ${read}`;
  const undoReply = undoSend(app, item);
  const actions = markReadActions(ids);
  if (
    performRowAction(app, {
      actionKind: 'replied',
      keys,
      actions,
      label,
      undoneText,
      redoLabel: composed`Marked ${item.label} read (${ids.length})`,
      undoAlso: undoReply,
      toastText,
      stays,
    })
  )
    return;
  logTriageAction(app, {actionKind: 'replied', keys, at: app.clock.now(), undoable: undefined});
  if (!stays) advancePast(app, keys);
  // Otherwise a toast has said why they were not marked.
  if (ids.length === 0) app.toast({text: replyText(app, item), hint: problem});
}

/**
 * Returns a function that also undoes the reply while it has not been sent: replying is one step, and is one
 * again once it is sent after all.
 */
function undoSend(app: App, item: ListedConversation): (() => string | undefined) | undefined {
  const [sent] = app.undoStack.list();
  const id = app.screen.composer.delayedSend?.id;
  if (id === undefined || sent === undefined) return undefined;
  return () => {
    if (app.screen.composer.delayedSend?.id !== id || app.undoStack.undoOne(sent).undone === undefined)
      return undefined;
    return composed`Not sent, and unread again: ${item.label} · the reply is a draft`;
  };
}

/** Returns the state of the reply: it must not look sent while it still waits. */
function replyText({state, screen}: App, {label}: ListedConversation): string {
  if (state.connection.phase !== 'online') return composed`Reply in ${label} waits for the connection`;
  const {delayedSend} = screen.composer;
  return delayedSend === undefined
    ? composed`Replied in ${label}`
    : composed`Reply in ${label} will be sent in ${delayedSend.seconds} s`;
}

/** Writes a direct message to the last sender. Unread messages stay unread: the reply is in another conversation. */
export function replyToSender(app: App): void {
  const senderId = latestMessage(app, conversationUnderCursor(app))?.senderId;
  if (senderId === undefined) return;
  const target = directConversation([senderId], app.state.self.userId);
  openComposer(app, {target, onSent: () => closeComposer(app)});
}

/** Returns the latest painted unread message of a row; undefined while it is not loaded. */
function latestMessage(app: AppReader, item: ListedConversation | undefined): Message | undefined {
  if (item === undefined) return undefined;
  const {byConversation, byId} = app.state.messages;
  const shown = app.frames.paintedFrame.account.messages.byConversation.get(item.key) ?? byConversation.get(item.key);
  const id = paintedUnreadIds(app, [item.key]).at(-1) ?? shown?.last();
  return id === undefined ? undefined : byId.get(id);
}

function firstMessage(app: App, {key}: ListedConversation): Message | undefined {
  const id = paintedUnreadIds(app, [key])[0];
  return id === undefined ? undefined : app.state.messages.byId.get(id);
}

/** Returns the reason why no command can act on a message of each row. */
export function rowMessageProblem(
  rows: readonly (ListedConversation | undefined)[],
  app: AppReader,
): string | undefined {
  return rows.some((row) => latestMessage(app, row) === undefined) ? 'The messages are still loading' : undefined;
}

function react(app: App, {key}: ListedConversation, {action, label}: ReactionChange): void {
  const actionKind = action.op === 'add' ? 'reacted' : 'other';
  performRowAction(app, {actionKind, keys: [key], actions: [action], label, stays: true});
}

export function addThumbsUp(app: App): void {
  const item = conversationUnderCursor(app);
  const message = latestMessage(app, item);
  if (item === undefined || message === undefined) return;
  react(app, item, reactionChange(app, message, thumbsUp));
}

/**
 * Opens the reaction picker for the current message and row, even if another row is under the cursor by the
 * time an emoji is chosen.
 */
export function openRowReactionPicker(app: App): void {
  const item = conversationUnderCursor(app);
  const message = latestMessage(app, item);
  if (item === undefined || message === undefined) return;
  openReactionPicker(app, message, (from, reaction) => react(from, item, reaction));
}

/**
 * Stars the first unread message of each selected row, or of the one under the cursor, to find it again among the starred ones;
 * unstars them if all are starred.
 */
export function starFirstUnread(app: App): void {
  const rows = targetConversations(app);
  const firsts = rows.flatMap((row) => firstMessage(app, row) ?? []);
  const messages = rows.flatMap((row) => firstMessage(app, row) ?? latestMessage(app, row) ?? []);
  if (messages.length === 0) return;
  const ids = messages.map(({id}) => id);
  const isStarred = ids.every((id) => app.state.starred.has(id));
  const op = isStarred ? 'remove' : 'add';
  const which =
    firsts.length === rows.length ? 'first unread' : firsts.length === 0 ? 'latest' : 'first unread or latest';
  const where = rows.length === 1 ? '' : ` of ${rows.length} conversations`;
  performRowAction(app, {
    actionKind: isStarred ? 'other' : 'starred',
    keys: rows.map(({key}) => key),
    actions: [{kind: 'flags', op, flag: 'starred', ids}],
    label: `${isStarred ? 'Unstarred' : 'Starred'} the ${which} message${where}`,
    stays: true,
  });
  const list = focusedList(app.screen);
  if (list !== undefined) clearSelection(app, list);
}

/** Returns the messages on screen; in a list without a preview the unread ones, or else the latest. */
function shownMessages(app: App): readonly Message[] {
  if (focusedList(app.screen) !== inboxList) {
    const unread = unreadMessages(app);
    return unread.length > 0
      ? unread
      : [latestMessage(app, conversationUnderCursor(app))].filter((message) => message !== undefined);
  }
  const rows = previewUnderCursor(app.frame)?.shown.window?.rows ?? [];
  const {byId} = app.state.messages;
  return rows.flatMap(({key}) => (typeof key === 'number' ? (byId.get(key) ?? []) : []));
}

export function openRowLinkPicker(app: App): void {
  const {state, screen} = app;
  const links = shownMessages(app).flatMap((message) =>
    linksOf(state, message, screen.expandedMessageIds.has(message.id)),
  );
  if (links.length === 0) {
    app.toast('No links on screen.', 'warning');
    return;
  }
  openLinkList(
    app,
    links.map((link, at) => ({...link, number: at + 1})),
    'Links in this conversation',
  );
}

function unreadMessages(app: App): readonly Message[] {
  const ids = app.state.unreads.conversations.get(conversationUnderCursor(app)?.key ?? '')?.ids ?? [];
  return [...ids].flatMap((id) => app.state.messages.byId.get(id) ?? []);
}

/** Copies the unread messages, or else those on screen, with their senders' names. */
export function copyRowMessages(app: App): void {
  const unread = unreadMessages(app);
  const messages = unread.length > 0 ? unread : shownMessages(app);
  if (messages.length === 0) {
    app.toast('The messages are still loading', 'warning');
    return;
  }
  const context = messageContext(app.state);
  const texts = messages.map(({senderId, senderName, content, facts}) => {
    const name = userName(app.state, senderId, senderName);
    return `${name}: ${plainText(parseMessage(content, withFacts(context, facts)))}`;
  });
  copyText(app, texts.join('\n\n'), messages.length === 1 ? '1 message' : `${messages.length} messages`);
}
