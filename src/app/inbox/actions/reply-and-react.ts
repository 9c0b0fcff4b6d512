import {conversationUnderCursor, type ListedConversation} from '#app/actions/action-target.ts';
import {markReadProblem} from '#app/actions/mute-and-follow.ts';
import {paintedUnreadIds} from '#app/actions/painted-frame.ts';
import {closeComposer, openComposer} from '#app/compose/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {messageContext} from '#app/format/message-context.ts';
import {previewUnderCursor} from '#app/inbox/inbox-preview.ts';
import type {TriageActionKind} from '#app/inbox/inbox-state.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {copyText} from '#app/message-actions/copy-message.ts';
import {openLinkList} from '#app/message-actions/link-picker.ts';
import {linksOf} from '#app/message-actions/message-links.ts';
import {openReactionPicker} from '#app/message-actions/reaction-picker.ts';
import {type ReactionChange, reactionChange, thumbsUp} from '#app/message-actions/toggle-reaction.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {advancePast, logTriageAction, performRowAction} from './perform-row-action.ts';
import {markReadActions} from './triage-actions.ts';

/** Writes there; once sent, what was unread when one began is read, and in the inbox the next one is looked at. */
export function replyToRow(app: App): void {
  const item = conversationUnderCursor(app);
  if (item === undefined) return;
  writeTo(app, item.conversation, item, paintedUnreadIds(app, [item.key]));
}

function writeTo(app: App, target: DraftTarget, item: ListedConversation, seen: readonly number[]): void {
  openComposer(app, {
    target,
    repliesTo: seen.at(-1),
    onSent: () => {
      closeComposer(app);
      afterReply(app, item, seen);
    },
  });
}

function afterReply(app: App, item: ListedConversation, seen: readonly number[]): void {
  const stays = app.settings.afterReply === 'stay' || focusedList(app.screen) !== 'inbox';
  // It may go by another name by now.
  const keys = [app.state.unreads.byId.get(seen.at(-1) ?? 0) ?? item.key];
  const problem = markReadProblem(app);
  const ids = problem === undefined ? seen.filter((id) => app.state.unreads.byId.has(id)) : [];
  const read = `marked read (${ids.length})`;
  const label = `Wrote a reply in ${item.label}, ${read}`;
  const said = `Unread again: ${item.label} (${ids.length}) · the reply stays`;
  const told = `${replyText(app, item)}, ${read}`;
  const afterwards = undoSend(app, item, seen);
  const actions = markReadActions(ids);
  if (
    performRowAction(app, {
      actionKind: 'replied',
      keys,
      actions,
      label,
      undoneText: said,
      undoAlso: afterwards,
      toastText: told,
      stays,
    })
  )
    return;
  logTriageAction(app, {actionKind: 'replied', keys, at: app.clock.now(), undoable: undefined});
  if (!stays) advancePast(app, keys);
  // Otherwise it was said why they were not marked.
  if (ids.length === 0) app.toast(`${replyText(app, item)}${problem === undefined ? '' : ` · ${problem}`}`);
}

/** Takes back the reply too, while it has not left: to answer was one step, and is one again once it is sent after all. */
function undoSend(
  app: App,
  item: ListedConversation,
  seen: readonly number[],
): (() => string | undefined) | undefined {
  const [sent] = app.undoStack.list();
  if (app.screen.composer.delayedSend === undefined || sent === undefined) return undefined;
  return () => {
    if (app.undoStack.undoOne(sent) === undefined) return undefined;
    writeTo(app, app.screen.composer.target, item, seen);
    return `Not sent, and unread again: ${item.label}`;
  };
}

/** Where it stands: nobody shall think that an answer has arrived which still waits here. */
function replyText({state, screen}: App, {label}: ListedConversation): string {
  if (state.connection.phase !== 'online') return `Reply in ${label} waits for the connection`;
  const {delayedSend: pending} = screen.composer;
  return pending === undefined ? `Replied in ${label}` : `Reply in ${label} leaves in ${pending.seconds} s`;
}

/** To whoever wrote last, alone. What is unread stays so: the answer is elsewhere. */
export function replyToSender(app: App): void {
  const senderId = latestMessage(app)?.senderId;
  if (senderId === undefined) return;
  const target = directConversation([senderId], app.state.self.userId);
  openComposer(app, {target, onSent: () => closeComposer(app)});
}

/** The latest unread message of the row under the cursor that was seen; undefined while it is not loaded. */
export function latestMessage(app: App): Message | undefined {
  const item = conversationUnderCursor(app);
  if (item === undefined) return undefined;
  const {byConversation, byId} = app.state.messages;
  const shown =
    app.frames.paintedFrame.account.messages.byConversation.get(item.key) ?? byConversation.get(item.key);
  const id = paintedUnreadIds(app, [item.key]).at(-1) ?? shown?.last();
  return id === undefined ? undefined : byId.get(id);
}

function firstMessage(app: App): Message | undefined {
  const item = conversationUnderCursor(app);
  const id = item === undefined ? undefined : paintedUnreadIds(app, [item.key])[0];
  return id === undefined ? undefined : app.state.messages.byId.get(id);
}

/** Why nothing can be done with a message of the row. */
export function rowMessageProblem(app: App): string | undefined {
  if (conversationUnderCursor(app) === undefined) return 'No conversation is selected';
  return latestMessage(app) === undefined ? 'The messages are still loading' : undefined;
}

/** Done to a message of a row that stays where it is. */
function actOn(
  app: App,
  {key}: ListedConversation,
  verb: TriageActionKind,
  {action, label}: {readonly action: PendingAction; readonly label: string},
): void {
  performRowAction(app, {actionKind: verb, keys: [key], actions: [action], label, stays: true});
}

function react(app: App, item: ListedConversation, reacting: ReactionChange): void {
  actOn(app, item, reacting.action.op === 'add' ? 'reacted' : 'other', reacting);
}

export function addThumbsUp(app: App): void {
  const [item, message] = [conversationUnderCursor(app), latestMessage(app)];
  if (item === undefined || message === undefined) return;
  react(app, item, reactionChange(app, message, thumbsUp));
}

/** For the message and the row of this moment, whatever has come under the cursor by the time one is chosen. */
export function openRowReactionPicker(app: App): void {
  const [item, message] = [conversationUnderCursor(app), latestMessage(app)];
  if (item === undefined || message === undefined) return;
  openReactionPicker(app, message, (from, reacting) => react(from, item, reacting));
}

/** The first unread one, to be found again among the starred; stars it or takes the star off. */
export function starFirstUnread(app: App): void {
  const [item, first] = [conversationUnderCursor(app), firstMessage(app)];
  const message = first ?? latestMessage(app);
  if (item === undefined || message === undefined) return;
  const isStarred = app.state.starred.has(message.id);
  const op = isStarred ? 'remove' : 'add';
  const which = first === undefined ? 'latest' : 'first unread';
  const label = `${isStarred ? 'Unstarred' : 'Starred'} the ${which} message`;
  const action: PendingAction = {kind: 'flags', op, flag: 'starred', ids: [message.id]};
  actOn(app, item, isStarred ? 'other' : 'starred', {action, label});
}

/** The messages in sight; in a list without a preview what is unread, or else the latest. */
function shownMessages(app: App): readonly Message[] {
  if (focusedList(app.screen) !== 'inbox') {
    const unread = unreadMessages(app);
    return unread.length > 0 ? unread : [latestMessage(app)].filter((message) => message !== undefined);
  }
  const rows = previewUnderCursor(app.frame)?.shown.window?.rows ?? [];
  const {byId} = app.state.messages;
  return rows.flatMap(({key}) => (typeof key === 'number' ? (byId.get(key) ?? []) : []));
}

export function openRowLinkPicker(app: App): void {
  const {state, screen} = app;
  const found = shownMessages(app).flatMap((message) =>
    linksOf(state, message, screen.expandedMessageIds.has(message.id)),
  );
  if (found.length === 0) {
    app.toast('No links in sight here.', 'warning');
    return;
  }
  openLinkList(
    app,
    found.map((link, at) => ({...link, number: at + 1})),
    'Links of this conversation',
  );
}

function unreadMessages(app: App): readonly Message[] {
  const ids = app.state.unreads.conversations.get(conversationUnderCursor(app)?.key ?? '')?.ids ?? [];
  return [...ids].flatMap((id) => app.state.messages.byId.get(id) ?? []);
}

/** What is unread, or else what is in sight, with the names of who wrote it. */
export function copyRowMessages(app: App): void {
  const unread = unreadMessages(app);
  const messages = unread.length > 0 ? unread : shownMessages(app);
  if (messages.length === 0) {
    app.toast('The messages are still loading', 'warning');
    return;
  }
  const context = messageContext(app.state);
  const texts = messages.map(({senderId, senderName, content}) => {
    const name = userName(app.state, senderId, senderName);
    return `${name}: ${plainText(parseMessage(content, context))}`;
  });
  copyText(app, texts.join('\n\n'), messages.length === 1 ? '1 message' : `${messages.length} messages`);
}
