import type {App} from '#app/core/app.ts';
import {isConversationShown} from '#app/panes/other-pane.ts';
import type {RuleListener} from '#app/rules/rule-listener.ts';
import type {Ruling, Rulings} from '#app/rules/rule-runner.ts';
import {isMentionFlag} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {SessionListener} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {accountLabel} from '#ui/format/conversation-name.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {holdNotifications, isQuietNow, watchHeldNotifications} from './quiet-time.ts';

/** The settings that decide which messages notify, and what the notification shows. */
export interface NotifySettings {
  readonly notifyWith: 'desktop' | 'bell' | 'off';
  readonly notifyDirect: boolean;
  readonly notifyMention: boolean;
  readonly notifyShow: 'text' | 'sender' | 'nothing';
}

/** Messages that arrive sooner after a notification wait and are reported together. */
const batchMs = 3000;
const maxTextLength = 200;

/**
 * Notifies the user about direct messages and mentions, after the rules of triage decided about them. `getApp` is called late,
 * because the session is created before the app; settings may change.
 */
export function notificationListener(
  getApp: () => App,
  getSettings: () => NotifySettings,
  rules?: Pick<RuleListener, 'rulings'>,
): SessionListener {
  let queued: Message[] = [];
  /** Messages of which a rule says that they notify, whether or not they are unread. */
  const ruled = new Set<number>();
  let cancel: (() => void) | undefined;
  const sendNotification = () => {
    cancel = undefined;
    const batch = queued;
    queued = [];
    const app = getApp();
    const passing = new Set(ruled);
    const unread = batch.filter(({id}) => ruled.delete(id) || app.state.unreads.byId.has(id));
    if (unread.length === 0) return;
    const [held, due] = isSeenAtOnce(app) ? [[], unread] : splitByQuiet(app, unread, passing);
    if (held.length > 0) holdNotifications(app, held);
    if (due.length === 0) return;
    notify(app, due, getSettings());
    cancel = app.clock.after(batchMs, sendNotification);
  };
  const queue = (events: readonly ServerEvent[], rulings?: Rulings) => {
    const app = getApp();
    for (const event of events) {
      const ruling = event.type === 'message' ? rulings?.get(event.message.id) : undefined;
      const message = messageToNotify(app, event, getSettings(), ruling);
      if (message === undefined) continue;
      queued.push(message);
      if (ruling === 'notify') ruled.add(message.id);
    }
    if (cancel === undefined && queued.length > 0) sendNotification();
  };
  return {
    onEvents: (events) => {
      if (getSettings().notifyWith === 'off') return;
      const rulings = rules?.rulings();
      if (rulings === undefined) queue(events);
      else rulings.then((decided) => queue(events, decided)).catch(() => queue(events));
    },
    beforeStop: () => cancel?.(),
  };
}

/** Returns the event's message if it should notify. */
function messageToNotify(
  app: App,
  event: ServerEvent,
  settings: NotifySettings,
  ruling: Ruling | undefined,
): Message | undefined {
  if (event.type !== 'message' || ruling === 'silence') return undefined;
  const {state} = app;
  const message = state.messages.byId.get(event.message.id);
  if (message === undefined) return undefined;
  const isRuled =
    ruling === 'notify' && message.senderId !== state.self.userId && !state.mutedUsers.has(message.senderId);
  if (!isRuled && !shouldNotify(state, event, message, settings)) return undefined;
  return isConversationInView(app, conversationOf(message)) ? undefined : message;
}

function shouldNotify(
  state: AccountState,
  {flags}: EventOf<'message'>,
  message: Message,
  {notifyDirect, notifyMention}: NotifySettings,
): boolean {
  if (message.senderId === state.self.userId || state.mutedUsers.has(message.senderId)) return false;
  if (!state.unreads.byId.has(message.id)) return false;
  const {settings} = state;
  const conversation = conversationOf(message);
  if (conversation.kind === 'direct') return notifyDirect && settings.enableDesktopNotifications !== false;
  const channel = channelNotifications(state, conversation);
  if (channel.ofAll) return true;
  if (!notifyMention || settings.enableDesktopNotifications === false) return false;
  if (flags.includes('mentioned') || flags.includes('has_alert_word')) return true;
  return channel.ofWildcards && flags.some(isMentionFlag);
}

/**
 * Returns whether all messages of a topic notify, and whether mentions of everybody do. As in Zulip, a channel's own setting
 * wins over that of the account, muted topics have neither, and followed topics have settings beside those of their channel.
 */
function channelNotifications(state: AccountState, conversation: Extract<Conversation, {kind: 'topic'}>) {
  const {settings, subscriptions} = state;
  const subscription = subscriptions.get(conversation.channelId);
  const isFollowed = isConversationFollowed(state, conversation);
  const ofAll =
    subscription?.isSubscribed === true &&
    (subscription.desktopNotifications ?? settings.enableStreamDesktopNotifications ?? false);
  const ofWildcards = subscription?.wildcardMentionsNotify ?? settings.wildcardMentionsNotify ?? true;
  const isMuted = isConversationMuted(state, conversation);
  return {
    ofAll: (ofAll && !isMuted) || (isFollowed && settings.enableFollowedTopicDesktopNotifications !== false),
    ofWildcards:
      (ofWildcards && !isMuted) || (isFollowed && settings.enableFollowedTopicWildcardMentionsNotify !== false),
  };
}

/** Whether the conversation is on screen, and the terminal does not report that its window lacks the focus. */
function isConversationInView(app: App, conversation: Conversation): boolean {
  if (app.screen.hasWindowFocus === false || !app.isOnScreen) return false;
  return isConversationShown(app.screen, conversation);
}

/** Whether the user looks at Parley: a toast there disturbs nobody. */
function isSeenAtOnce({screen, isOnScreen}: App): boolean {
  return screen.hasWindowFocus === true && isOnScreen;
}

/** Returns the messages that are held back now, and the others. `ruled` are those of which a rule says that they notify. */
function splitByQuiet(app: App, messages: readonly Message[], ruled: ReadonlySet<number>) {
  const {held = [], due = []} = Object.groupBy(messages, ({id}) => (isQuietNow(app, ruled.has(id)) ? 'held' : 'due'));
  return [held, due] as const;
}

/**
 * Shows a toast while the window has the focus, a desktop notification while it has not, and a toast with a
 * bell where the terminal does not report the focus.
 */
function notify(app: App, messages: readonly Message[], settings: NotifySettings): void {
  show(app, notificationText(app.state, messages, settings.notifyShow), settings.notifyWith);
}

/** Says what was held back, in the way of a notification, when quiet time is over. */
export function watchQuietTime(app: App): void {
  watchHeldNotifications(app, (_app, title) => {
    if (app.settings.notifyWith !== 'off') show(app, {title, body: ''}, app.settings.notifyWith);
  });
}

function show(
  app: App,
  {title, body}: {readonly title: string; readonly body: string},
  notifyWith: NotifySettings['notifyWith'],
): void {
  const {hasWindowFocus, toast} = app.screen;
  if (hasWindowFocus !== false && app.isOnScreen) {
    if (toast === undefined || toast.tone === 'plain') app.toast(body === '' ? title : composed`${title}: ${body}`);
    if (hasWindowFocus === undefined) app.device.bell();
    return;
  }
  if (notifyWith === 'bell') {
    app.device.bell();
    return;
  }
  app.device.notify(app.info.accountCount > 1 ? composed`${accountLabel(app.state, app.info)}: ${title}` : title, body);
}

/** Returns a notification for one message, or a count for several, as far as the settings allow. */
export function notificationText(
  state: AccountState,
  messages: readonly Message[],
  show: NotifySettings['notifyShow'],
) {
  const [first] = messages;
  if (first === undefined || show === 'nothing') return {title: 'Parley', body: countText(messages.length)};
  const names = [...new Set(messages.map((message) => senderOf(state, message)))];
  if (messages.length > 1) return {title: countText(messages.length), body: composed`from ${joined(names)}`};
  const conversation = conversationOf(first);
  const isOneToOne = conversation.kind === 'direct' && conversation.userIds.length <= 1;
  const where = isOneToOne ? '' : composed` in ${printableLine(conversationTitle(state, conversation))}`;
  return {title: composed`${senderOf(state, first)}${where}`, body: bodyOf(state, first, show)};
}

/** Returns the text of the message, unless the account's settings keep direct messages out of notifications. */
function bodyOf(state: AccountState, message: Message, show: NotifySettings['notifyShow']): string {
  const isDirect = conversationOf(message).kind === 'direct';
  const isPrivate = isDirect && state.settings.pmContentInDesktopNotifications === false;
  if (show === 'sender' || isPrivate) return '';
  return printableLine(excerpt(message.content, messageContext(state), message.facts)).slice(0, maxTextLength);
}

function senderOf(state: AccountState, {senderId, senderName}: Message): string {
  return printableLine(userName(state, senderId, senderName));
}

function countText(count: number): string {
  return count === 1 ? 'One new message for you' : `${count} new messages for you`;
}
