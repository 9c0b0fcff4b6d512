import type {App} from '#app/app.ts';
import {closeComposer, compose} from '#app/compose/opening.ts';
import {doUndoably} from '#app/deeds.ts';
import {openLinks} from '#app/message-actions/link-picker.ts';
import {linksOf} from '#app/message-actions/message-links.ts';
import {openReactionPicker} from '#app/message-actions/reaction-picker.ts';
import {copyText} from '#app/timeline/copy-message.ts';
import {messageContext} from '#app/timeline/message-context.ts';
import {thumb, toggleReaction} from '#app/timeline/reacting.ts';
import {readingProblem} from '#app/verbs.ts';
import {parseMessage} from '#content/parse.ts';
import {plainText} from '#content/text.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names.ts';
import {act, seenUnread, skip} from './acting.ts';
import {previewNow, triagedRow} from './preview.ts';
import type {TriageItem} from './triage-row.ts';
import {readAction} from './verbs.ts';

/** Writes there; once sent, what was unread when one began is read, and the next one is looked at. */
export function replyToRow(app: App): void {
  const item = triagedRow(app.frame);
  if (item === undefined) return;
  const seen = seenUnread(app, [item.key]);
  compose(app, {
    target: item.conversation,
    answers: seen.at(-1),
    onSent: (sent) => {
      closeComposer(sent);
      afterReply(sent, item, seen);
    },
  });
}

function afterReply(app: App, item: TriageItem, seen: readonly number[]): void {
  const stays = app.settings.afterReply === 'stay';
  const keys = [item.key];
  const actions = readingProblem(app) === undefined ? readAction(seen) : [];
  const label = `Replied in ${item.label}, marked read (${seen.length})`;
  const isRead = act(app, {verb: 'replied', keys, actions, label, stays});
  if (!isRead && !stays) skip(app, keys);
}

/** To whoever wrote last, alone. What is unread stays so: the answer is elsewhere. */
export function replyToSender(app: App): void {
  const senderId = latestMessage(app)?.senderId;
  if (senderId === undefined) return;
  compose(app, {target: directConversation([senderId], app.state.self.userId), onSent: closeComposer});
}

/** The latest unread message of the row under the cursor; undefined while it is not loaded. */
export function latestMessage(app: App): Message | undefined {
  const item = triagedRow(app.frame);
  if (item === undefined) return undefined;
  const {unreads, messages} = app.state;
  const id = unreads.conversations.get(item.key)?.ids.last() ?? messages.byConversation.get(item.key)?.last();
  return id === undefined ? undefined : messages.byId.get(id);
}

function firstMessage(app: App): Message | undefined {
  const item = triagedRow(app.frame);
  return item === undefined ? undefined : app.state.messages.byId.get(item.oldestUnreadId);
}

/** Why nothing can be done with a message of the row. */
export function noMessage(app: App): string | undefined {
  if (triagedRow(app.frame) === undefined) return 'There is no conversation here.';
  return latestMessage(app) === undefined ? 'The messages are not here yet.' : undefined;
}

export function giveThumb(app: App): void {
  const message = latestMessage(app);
  if (message !== undefined) toggleReaction(app, message, thumb);
}

export function pickReaction(app: App): void {
  const message = latestMessage(app);
  if (message !== undefined) openReactionPicker(app, message);
}

/** The first unread one, to be found again among the starred; stars it or takes the star off. */
export function starFirst(app: App): void {
  const message = firstMessage(app) ?? latestMessage(app);
  if (message === undefined) return;
  const isStarred = app.state.starred.has(message.id);
  const op = isStarred ? 'remove' : 'add';
  const label = isStarred ? 'Unstarred the first unread message' : 'Starred the first unread message';
  doUndoably(app, {kind: 'flags', op, flag: 'starred', ids: [message.id]}, label);
}

/** The messages in sight. */
function shownMessages(app: App): readonly Message[] {
  const rows = previewNow(app.frame)?.shown.window?.rows ?? [];
  const {byId} = app.state.messages;
  return rows.flatMap(({key}) => (typeof key === 'number' ? (byId.get(key) ?? []) : []));
}

export function pickLink(app: App): void {
  const {state, screen} = app;
  const found = shownMessages(app).flatMap((message) =>
    linksOf(state, message, screen.expanded.has(message.id)),
  );
  if (found.length === 0) {
    app.toast('No links in sight here.', 'warning');
    return;
  }
  openLinks(
    app,
    found.map((link, at) => ({...link, number: at + 1})),
    'Links of this conversation',
  );
}

/** What is unread, or else what is in sight, with the names of who wrote it. */
export function copyPreview(app: App): void {
  const item = triagedRow(app.frame);
  if (item === undefined) return;
  const {byId} = app.state.messages;
  const unread = [...(app.state.unreads.conversations.get(item.key)?.ids ?? [])].flatMap(
    (id) => byId.get(id) ?? [],
  );
  const messages = unread.length > 0 ? unread : shownMessages(app);
  if (messages.length === 0) {
    app.toast('The messages are not here yet.', 'warning');
    return;
  }
  const context = messageContext(app.state);
  const texts = messages.map(({senderId, senderName, content}) => {
    const name = userName(app.state, senderId, senderName);
    return `${name}: ${plainText(parseMessage(content, context))}`;
  });
  copyText(app, texts.join('\n\n'), messages.length === 1 ? '1 message' : `${messages.length} messages`);
}
