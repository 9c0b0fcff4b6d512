import {openSentOffer} from '#app/composer/send-message.ts';
import type {App} from '#app/core/app.ts';
import {type MessageTextOptions, messageLines} from '#cli/messages/message-text.ts';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {clockText, dateText, dayNumber} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {conversationTitle, distinctUserName} from '#state/selectors/names/names.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {KeyEffects, PickerRow} from '#ui/core/overlay.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {inboxSummary, summaryLines} from '#ui/inbox/inbox-summary.ts';
import {isTriageItem, type TriageItem} from '#ui/inbox/triage-row.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';
import {plainGlyphText, uiGlyphs} from '#wording/ui-glyphs.ts';

const pageSize = 20;
/** The number of read messages to print before the first unread one, as context. */
const contextMessages = 2;
/** The number of printed messages that can certainly be named by their numbers. */
const maxNumbered = 500;
/** The time to wait for the server before going on without its messages. */
const loadTimeoutMs = 8000;

/** Prints the messages of one view page by page, and numbers them in the order in which they are printed. */
export function messageReader(app: App, narrow: Narrow, print: (text: string) => void) {
  const printed: number[] = [];
  /** The number of unread messages that the user knows of, because they were printed or counted. */
  let knownUnread = unreadCountIn(app.state, narrow);
  /** The number of loaded messages after the printed ones that the user knows of. */
  let following = 0;
  /** Whether the server had more messages than were loaded when the user was last told what follows. */
  let hasUnloaded = true;
  /** Returns the message that was printed with this number. */
  const messageAt = (number: number): Message | undefined => {
    const id = printed[number - 1];
    return id === undefined ? undefined : app.state.messages.byId.get(id);
  };

  /** Returns the messages that the user may refer to. */
  const numberedIds = () => printed.slice(-maxNumbered);
  /** Prints the first unread messages, or the newest ones when all are read. */
  const printFirstPage = async () => {
    await waitForServer(app.session.timelines.open(narrow, 'firstUnread'));
    const ids = loadedIds();
    const unread = firstUnreadId(app.state, narrow);
    const at = unread === undefined ? -1 : ids.findIndex((id) => id >= unread);
    const start = at < 0 ? Math.max(0, ids.length - pageSize) : Math.max(0, at - contextMessages);
    const unreadAt = Math.max(start, at);
    printMessages(ids.slice(start, unreadAt));
    if (printed.length > 0) print('First unread:');
    printMessages(ids.slice(unreadAt, start + pageSize));
    if (printed.length === 0) print(emptyText());
    printFollowingCount();
  };

  const emptyText = () => (knownUnread === 0 ? 'No messages here yet.' : 'Still loading messages.');
  const hasNewest = () => timelineOf(app.state, narrow)?.hasNewest === true;
  const printFollowingCount = () => {
    following = afterPrinted().length;
    hasUnloaded = !hasNewest();
    knownUnread = unreadCountIn(app.state, narrow);
    if (printed.length === 0) return;
    if (following > 0) print(`(${following} more: type “more”)`);
    else if (hasUnloaded) print('(More: type “more”)');
  };

  const afterPrinted = (): readonly number[] => {
    const last = Math.max(0, ...printed);
    return loadedIds().filter((id) => id > last);
  };

  /** Prints the next page. */
  const more = async () => {
    let next = afterPrinted();
    if (next.length === 0 && timelineOf(app.state, narrow)?.hasNewest === false) {
      await waitForServer(app.session.timelines.loadNewer(narrow));
      next = afterPrinted();
    }
    if (next.length === 0) print('No newer messages.');
    printMessages(next.slice(0, pageSize));
    printFollowingCount();
  };

  /** Prints the previous page. */
  const older = async () => {
    const first = Math.min(...printed);
    view(first);
    let before = loadedIds().filter((id) => id < first);
    if (before.length < pageSize && timelineOf(app.state, narrow)?.hasOldest === false) {
      await waitForServer(app.session.timelines.loadOlder(narrow));
      before = loadedIds().filter((id) => id < first);
    }
    if (before.length === 0) print('No older messages.');
    printMessages(before.slice(-pageSize));
  };

  /**
   * Prints messages that arrived meanwhile. If earlier messages were not printed yet, it only prints the new
   * count: commands may mark read only messages that the user knows of.
   */
  const printNewMessages = () => {
    const newer = afterPrinted();
    const hasPrintedAll = following === 0 && !hasUnloaded && printed.length > 0;
    const unread = unreadCountIn(app.state, narrow);
    if (hasPrintedAll && hasNewest()) printMessages(newer);
    else if (unread > knownUnread) print(`(${unread} unread here now: type “more”)`);
    following = afterPrinted().length;
    knownUnread = unread;
  };

  /** Has the messages around this one loaded. */
  const view = (messageId: number) => {
    if (Number.isFinite(messageId)) app.session.timelines.setViewedMessage(narrow, messageId);
  };

  const loadedIds = () => timelineOf(app.state, narrow)?.ids.toArray() ?? [];
  const printMessages = (ids: readonly number[]) => {
    const showsConversation = conversationOfNarrow(narrow) === undefined;
    const {state, frame} = app;
    for (const id of ids) {
      const message = state.messages.byId.get(id);
      if (message === undefined) continue;
      printed.push(id);
      print(plainMessageText(frame, message, {number: printed.length, showsConversation}));
    }
    view(Math.max(...printed));
  };

  /** Waits for a request, but not when the server is known to be unreachable. */
  const waitForServer = async (request: Promise<unknown>) => {
    const response = request.then(
      () => true,
      () => false,
    );
    const isOnline = app.state.connection.phase === 'online';
    const {promise: timeout, resolve} = Promise.withResolvers<boolean>();
    const cancel = app.clock.after(isOnline ? loadTimeoutMs : 0, () => resolve(false));
    const hasLoaded = await Promise.race([response, timeout]);
    cancel();
    if (!hasLoaded) print('(The server does not respond. Showing saved messages.)');
  };
  /** Prints a message with its spoilers open. Returns false when none has the number. */
  const printWithSpoilers = (number: number): boolean => {
    const message = messageAt(number);
    if (message !== undefined)
      print(plainMessageText(app.frame, message, {number, showsConversation: false, showsSpoilers: true}));
    return message !== undefined;
  };
  return {narrow, messageAt, numberedIds, printFirstPage, printWithSpoilers, more, older, printNewMessages};
}

/**
 * Texts of the plain client. They are read once, from top to bottom, perhaps by a screen reader: no columns or borders.
 */

interface PlainMessageOptions {
  readonly number?: number | undefined;
  readonly showsConversation: boolean;
  readonly showsSpoilers?: boolean;
}

/** Returns `3. Carol in #web > login, 09:31: text`; further lines of the text are indented. */
function plainMessageText(
  frame: Frame,
  message: Message,
  {number, showsConversation, showsSpoilers}: PlainMessageOptions,
): string {
  const {account, minute} = frame;
  const options = timeOptionsOf(frame);
  const at = message.timestamp * 1000;
  const isToday = dayNumber(at, options) === dayNumber(minute, options);
  const when = isToday ? clockText(at, options) : `${dateText(at, options)} ${clockText(at, options)}`;
  const where = showsConversation
    ? composed` in ${plainTitle(conversationTitle(account, conversationOf(message)))}`
    : '';
  const who = printableLine(distinctUserName(account, message.senderId, message.senderName));
  const isHidden = account.mutedUsers.has(message.senderId);
  const lines = isHidden
    ? ['(hidden: you muted this user)']
    : contentLines(account, message, {time: options, showsSpoilers}, who);
  const head = composed`${number === undefined ? '' : composed`${number}. `}${who}${where}, ${when}: `;
  return head + lines.join('\n   ');
}

/** Renders the content as the screen does, in ASCII that screen readers can speak. */
function contentLines(
  account: AccountState,
  message: Message,
  options: MessageTextOptions,
  senderName: string,
): readonly string[] {
  const lines = messageLines(account, message, {...options, glyphs: asciiGlyphs});
  return message.isMe ? [composed`${senderName} ${lines[0] ?? ''}`, ...lines.slice(1)] : lines;
}

/** Returns a title such as `#web > login` in ASCII that screen readers can speak. */
export function plainTitle(title: string): string {
  return printableLine(title).replaceAll('›', '>');
}

/** Returns a line about an unread conversation. */
export function inboxItemText(item: TriageItem): string {
  const marks = [
    item.mentions > 0 && 'mentions you',
    item.hasAlertWord && 'has an alert word',
    item.isFollowed && 'followed',
    item.isMuted && item.inboxGroup !== 'muted' && 'muted',
    item.isResolved && 'resolved',
    item.hasDraft && 'has a draft',
    item.isNew && 'new',
  ].filter((mark) => mark !== false);
  const suffix = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return composed`${item.count} unread in ${plainTitle(item.label)}${suffix}`;
}

/** Returns the inbox's conversations, without the muted ones unless they are shown. */
export function inboxItems(frame: Frame): readonly TriageItem[] {
  return visibleRowsOf(frame, inboxList)
    .rows.filter(isTriageItem)
    .filter(({isRemoved}) => !isRemoved);
}

/** Returns the text of a row of another list. */
export function listRowText(frame: Frame, list: ListSource, row: ListRow): string {
  const line = list.line(row, {
    columns: frame.screen.size.columns,
    glyphs: uiGlyphs(frame.display),
    isFocused: false,
    isFolded: false,
    label: (role, text = row.label) => [{text, role}],
  });
  return plainTitle(lineToText(line))
    .replaceAll(/\s{2,}/g, '  ')
    .trim();
}

export function pickerRowText({label, detail, right, rightRole, disabled}: PickerRow): string {
  // Without a role, the text at the right is a key of the screen.
  const value = rightRole === undefined ? undefined : right;
  const more = [value, disabled ?? detail].filter((text) => text !== undefined && text !== '');
  return plainTitle(more.length === 0 ? label : composed`${label}: ${more.join(', ')}`);
}

/** Returns how to use the keys that a list has for its rows, besides Enter; undefined where it has none. */
export function rowKeysText(hint: KeyEffects = {}): string | undefined {
  const keys = Object.entries(hint).filter(([key]) => /^(?:Delete$|Ctrl-|Alt-)/.test(key));
  const [first] = keys;
  if (first === undefined) return undefined;
  const names = keys.map(([key, effect]) => `${key} ${effect}`).join(', ');
  return `For a row: ${names}. Type the key and a number: “${first[0].split(' ')[0]} 1”.`;
}

const plainOffers: ReadonlyMap<string, string> = new Map([
  ['undo', '. Type “undo” to undo.'],
  ['redo', '. Type “redo” to redo.'],
  ['drafts', '. Type “drafts” to list drafts.'],
]);

/** Returns a toast with commands instead of keys, or undefined for the toast of a send, which the client prints itself. */
export function toastText({text, hint, offer, note}: ToastMessage, {display}: Frame): string | undefined {
  if (offer === openSentOffer) return undefined;
  const offered = plainOffers.get(offer?.label ?? '') ?? '';
  const parts = [`${[text, hint].filter((part) => part !== undefined).join(' · ')}${offered}`, note];
  return printableLine(plainGlyphText(parts.filter((part) => part !== undefined).join(' · '), display));
}

/** Returns the lines of an empty inbox, without the key hints. */
export function emptyInboxTexts(frame: Frame): readonly string[] {
  return summaryLines(inboxSummary(frame), frame.screen.size.columns)
    .filter(({spans}) => spans.length > 0 && !spans.some(({role}) => role === 'hint_key'))
    .map((line) => plainTitle(lineToText(line)).replace(/\s+[·-]\s+6 shows$/, ': type “muted” to list them'))
    .filter((text) => text !== '');
}
