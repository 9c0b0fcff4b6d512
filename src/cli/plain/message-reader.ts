import {messageLines} from '#cli/messages/message-text.ts';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {clockText, dateText, dayNumber, type TimeOptions} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {conversationTitle, distinctUserName} from '#state/selectors/names/names.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {openSentOffer} from '#ui/composer/send-message.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {KeyEffects, PickerRow} from '#ui/core/overlay.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {inboxSummary, summaryLines} from '#ui/inbox/inbox-summary.ts';
import {isTriageItem, type TriageItem} from '#ui/inbox/triage-row.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {listSources, visibleRowsOf} from '#ui/lists/visible-rows.ts';

const pageSize = 20;
/** The number of read messages to print before the first unread one, as context. */
const contextMessages = 2;
/** The number of printed messages that can certainly be named by their numbers. */
const maxNumbered = 500;
/** The time to wait for the server before going on without its messages. */
const loadTimeoutMs = 8000;

/** Prints the messages of one view page by page, and numbers them in the order in which they are printed. */
export class MessageReader {
  readonly narrow: Narrow;
  readonly #app: App;
  readonly #print: (text: string) => void;
  readonly #printed: number[] = [];
  /** The number of unread messages that the user knows of, because they were printed or counted. */
  #knownUnread: number;
  /** The number of messages after the printed ones that the user knows of. */
  #following = 0;

  constructor(app: App, narrow: Narrow, print: (text: string) => void) {
    this.#app = app;
    this.narrow = narrow;
    this.#print = print;
    this.#knownUnread = unreadCountIn(app.state, narrow);
  }

  /** Returns the message that was printed with this number. */
  messageAt(number: number): Message | undefined {
    const id = this.#printed[number - 1];
    return id === undefined ? undefined : this.#app.state.messages.byId.get(id);
  }

  /** Returns the messages that the user may refer to. */
  numberedIds(): readonly number[] {
    return this.#printed.slice(-maxNumbered);
  }

  /** Prints the first unread messages, or the newest ones when all are read. */
  async printFirstPage(): Promise<void> {
    await this.#waitForServer(this.#app.session.timelines.open(this.narrow, 'firstUnread'));
    const ids = this.#ids();
    const unread = firstUnreadId(this.#app.state, this.narrow);
    const at = unread === undefined ? -1 : ids.findIndex((id) => id >= unread);
    const start = at < 0 ? Math.max(0, ids.length - pageSize) : Math.max(0, at - contextMessages);
    const unreadAt = Math.max(start, at);
    this.#printMessages(ids.slice(start, unreadAt));
    if (this.#printed.length > 0) this.#print('First unread:');
    this.#printMessages(ids.slice(unreadAt, start + pageSize));
    if (this.#printed.length === 0) this.#print(this.#emptyText());
    this.#printFollowingCount();
  }

  #emptyText(): string {
    return this.#knownUnread === 0 ? 'No messages here yet.' : 'Still loading messages.';
  }

  #printFollowingCount(): void {
    this.#following = this.#after().length;
    this.#knownUnread = unreadCountIn(this.#app.state, this.narrow);
    if (this.#printed.length > 0 && this.#following > 0) this.#print(`(${this.#following} more: type “more”)`);
  }

  #after(): readonly number[] {
    const last = Math.max(0, ...this.#printed);
    return this.#ids().filter((id) => id > last);
  }

  /** Prints the next page. */
  async more(): Promise<void> {
    let next = this.#after();
    if (next.length === 0 && timelineOf(this.#app.state, this.narrow)?.hasNewest === false) {
      await this.#waitForServer(this.#app.session.timelines.loadNewer(this.narrow));
      next = this.#after();
    }
    if (next.length === 0) this.#print('No newer messages.');
    this.#printMessages(next.slice(0, pageSize));
    this.#printFollowingCount();
  }

  /** Prints the previous page. */
  async older(): Promise<void> {
    const first = Math.min(...this.#printed);
    this.#view(first);
    let before = this.#ids().filter((id) => id < first);
    if (before.length < pageSize && timelineOf(this.#app.state, this.narrow)?.hasOldest === false) {
      await this.#waitForServer(this.#app.session.timelines.loadOlder(this.narrow));
      before = this.#ids().filter((id) => id < first);
    }
    if (before.length === 0) this.#print('No older messages.');
    this.#printMessages(before.slice(-pageSize));
  }

  /**
   * Prints messages that arrived meanwhile. If earlier messages were not printed yet, it only prints the new
   * count: commands may mark read only messages that the user knows of.
   */
  printNewMessages(): void {
    const after = this.#after();
    const hasPrintedAll = this.#following === 0 && this.#printed.length > 0;
    const hasNewest = timelineOf(this.#app.state, this.narrow)?.hasNewest === true;
    const unread = unreadCountIn(this.#app.state, this.narrow);
    if (hasPrintedAll && hasNewest) this.#printMessages(after);
    else if (unread > this.#knownUnread) this.#print(`(${unread} unread here now: type “more”)`);
    this.#following = this.#after().length;
    this.#knownUnread = unread;
  }

  /** Has the messages around this one loaded. */
  #view(messageId: number): void {
    if (Number.isFinite(messageId)) this.#app.session.timelines.setViewedMessage(this.narrow, messageId);
  }

  #ids(): readonly number[] {
    return timelineOf(this.#app.state, this.narrow)?.ids.toArray() ?? [];
  }

  #printMessages(ids: readonly number[]): void {
    const showsConversation = conversationOfNarrow(this.narrow) === undefined;
    const {state, frame} = this.#app;
    for (const id of ids) {
      const message = state.messages.byId.get(id);
      if (message === undefined) continue;
      this.#printed.push(id);
      this.#print(plainMessageText(frame, message, {number: this.#printed.length, showsConversation}));
    }
    this.#view(Math.max(...this.#printed));
  }

  /** Waits for a request, but not when the server is known to be unreachable. */
  async #waitForServer(request: Promise<unknown>): Promise<void> {
    const response = request.then(
      () => true,
      () => false,
    );
    const isOnline = this.#app.state.connection.phase === 'online';
    const {promise: timeout, resolve} = Promise.withResolvers<boolean>();
    const cancel = this.#app.clock.after(isOnline ? loadTimeoutMs : 0, () => resolve(false));
    const hasLoaded = await Promise.race([response, timeout]);
    cancel();
    if (!hasLoaded) this.#print('(The server does not respond. Showing saved messages.)');
  }
}

/**
 * Texts of the plain client. They are read once, from top to bottom, perhaps by a screen reader: no columns or borders.
 */

/** Returns `3. Carol in #web > login, 09:31: text`; further lines of the text are indented. */
function plainMessageText(
  frame: Frame,
  message: Message,
  {number, showsConversation}: {readonly number?: number | undefined; readonly showsConversation: boolean},
): string {
  const {account, minute} = frame;
  const options = timeOptionsOf(frame);
  const at = message.timestamp * 1000;
  const isToday = dayNumber(at, options) === dayNumber(minute, options);
  const when = isToday ? clockText(at, options) : `${dateText(at, options)} ${clockText(at, options)}`;
  const where = showsConversation ? ` in ${plainTitle(conversationTitle(account, conversationOf(message)))}` : '';
  const who = printableLine(distinctUserName(account, message.senderId, message.senderName));
  const isHidden = account.mutedUsers.has(message.senderId);
  const lines = isHidden ? ['(hidden: you muted this user)'] : contentLines(account, message, options, who);
  const head = `${number === undefined ? '' : `${number}. `}${who}${where}, ${when}: `;
  return head + lines.join('\n   ');
}

/** Renders the content as the screen does, in ASCII that screen readers can speak. */
function contentLines(
  account: AccountState,
  message: Message,
  time: TimeOptions,
  senderName: string,
): readonly string[] {
  const lines = messageLines(account, message, {time, glyphs: asciiGlyphs});
  return message.isMe ? [`${senderName} ${lines[0] ?? ''}`, ...lines.slice(1)] : lines;
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
  return `${item.count} unread in ${plainTitle(item.label)}${suffix}`;
}

/** Returns the inbox's conversations, without the muted ones unless they are shown. */
export function inboxItems(frame: Frame): readonly TriageItem[] {
  return visibleRowsOf(frame, 'inbox')
    .rows.filter(isTriageItem)
    .filter(({isRemoved}) => !isRemoved);
}

/** Returns the text of a row of another list. */
export function listRowText(frame: Frame, id: ListId, row: ListRow): string {
  const line = listSources[id].line(row, {
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
  return plainTitle(more.length === 0 ? label : `${label}: ${more.join(', ')}`);
}

/** Returns how to use the keys that a list has for its rows, besides Enter; undefined where it has none. */
export function rowKeysText(hint: KeyEffects = {}): string | undefined {
  const keys = Object.entries(hint).filter(([key]) => /^(?:Delete$|Ctrl-|Alt-)/.test(key));
  const [first] = keys;
  if (first === undefined) return undefined;
  const names = keys.map(([key, effect]) => `${effect} (${key})`).join(', ');
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
