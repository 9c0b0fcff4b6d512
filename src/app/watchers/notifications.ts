import type {App} from '#app/core/app.ts';
import {shownConversation} from '#app/core/view.ts';
import {excerpt} from '#app/format/excerpt.ts';
import {messageContext} from '#app/format/message-context.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {SessionListener} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import type {MessageEvent} from '#wire/events/message.ts';
import type {ServerEvent} from '#wire/events.ts';

/** What is worth a notification, and what it says. */
export interface NotifySettings {
  readonly notifyWith: 'desktop' | 'bell' | 'off';
  readonly notifyDirect: boolean;
  readonly notifyMention: boolean;
  readonly notifyShow: 'text' | 'sender' | 'nothing';
}

/** What comes sooner after a notification waits, and is told together. */
const peaceMs = 3000;
const longestText = 200;

/** Tells somebody who is elsewhere that they were written to. `appOf` is asked when it is needed: the session comes first. */
export function notificationListener(appOf: () => App, settings: NotifySettings): SessionListener {
  let waiting: Message[] = [];
  let cancel: (() => void) | undefined;
  const tell = () => {
    cancel = undefined;
    const messages = waiting;
    waiting = [];
    const app = appOf();
    const unread = messages.filter(({id}) => app.state.unreads.byId.has(id));
    if (unread.length === 0) return;
    notify(app, unread, settings);
    cancel = app.clock.after(peaceMs, tell);
  };
  return {
    onEvents: (events) => {
      if (settings.notifyWith === 'off') return;
      const app = appOf();
      const found = events.flatMap((event) => messageToNotify(app, event, settings) ?? []);
      waiting.push(...found);
      if (cancel === undefined && waiting.length > 0) tell();
    },
    beforeStop: () => cancel?.(),
  };
}

/** The message, if the event brings one that somebody has to be told of. */
function messageToNotify(app: App, event: ServerEvent, settings: NotifySettings): Message | undefined {
  if (event.type !== 'message') return undefined;
  const {state} = app;
  const message = state.messages.byId.get(event.message.id);
  if (message === undefined || !isForMe(state, event, message, settings)) return undefined;
  return isConversationInView(app, conversationOf(message)) ? undefined : message;
}

function isForMe(
  state: AccountState,
  {flags}: MessageEvent,
  message: Message,
  {notifyDirect, notifyMention}: NotifySettings,
): boolean {
  if (message.senderId === state.self.userId || state.mutedUsers.has(message.senderId)) return false;
  if (!state.unreads.byId.has(message.id) || state.settings.enableDesktopNotifications === false)
    return false;
  if (conversationOf(message).kind === 'direct') return notifyDirect;
  const isNamed = flags.includes('mentioned') || flags.includes('has_alert_word');
  const isWildcard =
    flags.includes('stream_wildcard_mentioned') ||
    flags.includes('topic_wildcard_mentioned') ||
    flags.includes('wildcard_mentioned');
  return notifyMention && (isNamed || (isWildcard && state.settings.wildcardMentionsNotify !== false));
}

/** Its conversation is on the screen, and nothing says that nobody looks. */
function isConversationInView(app: App, conversation: Conversation): boolean {
  if (app.screen.hasWindowFocus === false || !isShown(app)) return false;
  const shown = shownConversation(app.screen);
  return shown !== undefined && conversationKey(shown) === conversationKey(conversation);
}

function isShown({accounts, info: facts}: App): boolean {
  return accounts.list().find(({name}) => name === facts.accountName)?.isShown ?? true;
}

/** Whoever looks reads it on the screen; whoever is elsewhere is called; where nobody knows, a bell goes with it. */
function notify(app: App, messages: readonly Message[], settings: NotifySettings): void {
  const {hasWindowFocus, toast} = app.screen;
  const {title, body} = notificationText(app.state, messages, settings.notifyShow);
  if (hasWindowFocus !== false && isShown(app)) {
    if (toast === undefined || toast.tone === 'plain') app.toast(body === '' ? title : `${title}: ${body}`);
    if (hasWindowFocus === undefined) app.device.bell();
    return;
  }
  if (settings.notifyWith === 'bell') {
    app.device.bell();
    return;
  }
  const {accountName, accountCount} = app.info;
  app.device.notify(accountCount > 1 ? `${accountName}: ${title}` : title, body);
}

export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

export function notificationText(
  state: AccountState,
  messages: readonly Message[],
  show: NotifySettings['notifyShow'],
): NotificationText {
  const [first] = messages;
  if (first === undefined || show === 'nothing') return {title: 'Parley', body: countText(messages.length)};
  const names = [...new Set(messages.map((message) => senderOf(state, message)))];
  if (messages.length > 1) return {title: countText(messages.length), body: `from ${names.join(', ')}`};
  const conversation = conversationOf(first);
  const isAlone = conversation.kind === 'direct' && conversation.userIds.length <= 1;
  const where = isAlone ? '' : ` in ${printableLine(conversationTitle(state, conversation))}`;
  return {title: senderOf(state, first) + where, body: bodyOf(state, first, show)};
}

/** The account may keep the text of direct messages off the desktop. */
function bodyOf(state: AccountState, message: Message, show: NotifySettings['notifyShow']): string {
  const isDirect = conversationOf(message).kind === 'direct';
  const isPrivate = isDirect && state.settings.pmContentInDesktopNotifications === false;
  if (show === 'sender' || isPrivate) return '';
  return printableLine(excerpt(message.content, messageContext(state))).slice(0, longestText);
}

function senderOf(state: AccountState, {senderId, senderName}: Message): string {
  return printableLine(userName(state, senderId, senderName));
}

function countText(count: number): string {
  return count === 1 ? 'One new message for you' : `${count} new messages for you`;
}
