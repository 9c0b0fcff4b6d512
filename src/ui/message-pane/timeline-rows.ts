import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {distinctUserName, userName} from '#state/selectors/names/names.ts';
import {unsentEntriesIn} from '#state/selectors/timeline.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import {senderRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {
  bottomLines,
  dateLine,
  hasReachedEnd,
  recipientLine,
  savedEdgeLines,
  topLines,
  unreadLine,
} from '#ui/message-pane/lines/edge-lines.ts';
import {linesOfMessage, type MarginAppearance, spokenHead, unsentLines} from '#ui/message-pane/lines/message-lines.ts';
import {type CursorMark, dayOf, messageBody, type Typeset} from '#ui/message-pane/lines/typeset.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';

/** Keys of the rows above the first message and below the last one. */
export const topEdge = Number.NEGATIVE_INFINITY;
export const bottomEdge = Number.POSITIVE_INFINITY;

interface RowBlock {
  readonly lines: readonly PaneLine[];
  /** The number of separator and heading lines before the message. */
  readonly lead: number;
}

interface RowsRequest {
  readonly narrow: Narrow;
  readonly timeline: Timeline;
  readonly visit: Pick<TimelineState, 'firstUnread' | 'unreadCount' | 'slowOutboxIds'>;
  readonly selected: RowKey | undefined;
  /** The mark of the selected row. */
  readonly mark: CursorMark;
  readonly isPreview: boolean;
  /** Whether the first line of the pane shows the date of the line that it covers. */
  readonly hasDateOnTop: boolean;
}

/** Messages of one sender within this time are grouped under one name. */
const groupSeconds = 600;

/** The rows of a timeline in order, laid out lazily. */
export class TimelineRows {
  readonly #frame: Frame;
  readonly #typeset: Typeset;
  readonly #request: RowsRequest;
  readonly #unsent: readonly OutboxEntry[];
  readonly #isMultiConversation: boolean;
  readonly #blocks = new Map<RowKey, RowBlock>();

  constructor(frame: Frame, typeset: Typeset, request: RowsRequest) {
    this.#frame = frame;
    this.#typeset = typeset;
    this.#request = request;
    const {narrow, timeline} = request;
    this.#unsent =
      frame.account.outbox.length > 0 && hasReachedEnd(frame.account, timeline)
        ? unsentEntriesIn(frame.account, narrow)
        : [];
    this.#isMultiConversation = conversationOfNarrow(narrow) === undefined;
  }

  get unsent(): readonly OutboxEntry[] {
    return this.#unsent;
  }

  get ids(): SortedSet<number> {
    return this.#request.timeline.ids;
  }

  get isEmpty(): boolean {
    return this.ids.size === 0 && this.#unsent.length === 0;
  }

  /** Without the edges. */
  first(): RowKey | undefined {
    return this.ids.first() ?? this.#unsent[0]?.id;
  }

  last(): RowKey | undefined {
    return this.#unsent.at(-1)?.id ?? this.ids.last();
  }

  has(key: RowKey): boolean {
    if (typeof key === 'string') return this.#unsent.some(({id}) => id === key);
    return key === topEdge || key === bottomEdge || this.ids.has(key);
  }

  /** Returns the row itself, or the one in its place: the next, or the last. */
  nearest(key: RowKey): RowKey | undefined {
    if (this.has(key)) return key;
    if (typeof key === 'string') return this.last();
    return this.ids.after(key) ?? this.ids.before(key) ?? this.first();
  }

  after(key: RowKey): RowKey | undefined {
    if (key === bottomEdge) return undefined;
    if (key === topEdge) return this.first() ?? bottomEdge;
    if (typeof key === 'string') {
      const at = this.#unsent.findIndex(({id}) => id === key);
      return this.#unsent[at + 1]?.id ?? bottomEdge;
    }
    return this.ids.after(key) ?? this.#unsent[0]?.id ?? bottomEdge;
  }

  before(key: RowKey): RowKey | undefined {
    if (key === topEdge) return undefined;
    if (key === bottomEdge) return this.last() ?? topEdge;
    if (typeof key === 'string') {
      const at = this.#unsent.findIndex(({id}) => id === key);
      return this.#unsent[at - 1]?.id ?? this.ids.last() ?? topEdge;
    }
    return this.ids.before(key) ?? topEdge;
  }

  block(key: RowKey): RowBlock {
    let block = this.#blocks.get(key);
    if (block === undefined) {
      block = this.#newBlock(key);
      this.#blocks.set(key, block);
    }
    return block;
  }

  get hasDateOnTop(): boolean {
    return this.#request.hasDateOnTop;
  }

  /** Returns the date that covers a line at the top of the pane; undefined if the line itself is a date, or belongs to none. */
  dateOnTop(key: RowKey, line: number): PaneLine | undefined {
    const message = typeof key === 'number' ? this.#frame.account.messages.byId.get(key) : undefined;
    if (!this.hasDateOnTop || message === undefined) return undefined;
    if (line === 0 && this.#isNewDay(message, this.#above(message.id))) return undefined;
    return dateLine(this.#typeset, message.timestamp * 1000);
  }

  #newBlock(key: RowKey): RowBlock {
    const {timeline, isPreview} = this.#request;
    if (key === topEdge) {
      const saved = savedEdgeLines(this.#frame, this.#typeset, timeline, 'top');
      return {lines: saved ?? topLines(this.#typeset, timeline, isPreview), lead: 0};
    }
    if (key === bottomEdge) {
      const saved = savedEdgeLines(this.#frame, this.#typeset, timeline, 'bottom');
      const saysEnd = isPreview || this.#request.narrow.some(({operator}) => operator === 'search');
      return {lines: saved ?? bottomLines(this.#typeset, timeline, {saysEnd, isPreview}), lead: 0};
    }
    if (typeof key === 'string') {
      const entry = this.#unsent.find(({id}) => id === key);
      return entry === undefined ? nothing : this.#unsentBlock(entry);
    }
    const message = this.#frame.account.messages.byId.get(key);
    return message === undefined ? nothing : this.#messageBlock(message);
  }

  #messageBlock(message: Message): RowBlock {
    const above = this.#above(message.id);
    const lead = this.#lead(message, above);
    const showsName = lead.length > 0 || !continues(above, message);
    const {account, screen, display} = this.#frame;
    const {users, self, mutedUsers, starred} = account;
    const {senderId} = message;
    const name = userName(account, senderId, message.senderName);
    const mark = this.#markOf(message.id);
    const isExpanded = screen.expandedMessageIds.has(message.id);
    const isSpoken = this.#typeset.measures.form === 'spoken';
    const stated = {
      name: showsName || isSpoken ? distinctUserName(account, senderId, message.senderName) : name,
      isUnread: this.#isUnread(message),
      isStarred: starred.has(message.id),
    };
    const body = messageBody(this.#typeset, message, {
      lead: isSpoken ? spokenHead(this.#typeset, message, stated) : undefined,
      isExpanded,
      isWhole: this.#request.isPreview,
      isHidden: mutedUsers.has(senderId) && !isExpanded,
      isCollapsed: message.flags.includes('collapsed') && !isExpanded,
      senderName: name,
      match: this.#request.timeline.matches.get(message.id)?.content,
      highlight: display.highlight,
    });
    const lines = linesOfMessage(this.#typeset, message, {
      body,
      ...stated,
      nameRole: senderRole({
        id: senderId,
        isSelf: senderId === self.userId,
        isBot: users.get(senderId)?.isBot === true,
      }),
      showsName,
      showsTime: showsName || mark !== 'none' || minuteOf(above) !== minuteOf(message),
      mark,
      notice: this.#editNotice(message.id, mark),
    });
    return lead.length === 0 ? {lines, lead: 0} : {lines: [...lead, ...lines], lead: lead.length};
  }

  /** In words it does not change while the user reads: a line that loses a word would be spoken again. */
  #isUnread({id, senderId}: Message): boolean {
    const {unreads, self} = this.#frame.account;
    const {visit, isPreview} = this.#request;
    const isStable = this.#typeset.measures.form === 'spoken' && !isPreview;
    return isStable ? senderId !== self.userId && id >= (visit.firstUnread ?? bottomEdge) : unreads.byId.has(id);
  }

  /** Returns the line about an edit that is not saved; the key works on the selected message only. */
  #editNotice(id: number, mark: CursorMark): string | undefined {
    const {unsavedEditIds, composer} = this.#frame.screen;
    if (!unsavedEditIds.has(id) || (composer.isOpen && composer.editing?.messageId === id)) return undefined;
    const key = mark === 'selected' ? this.#frame.info.keys?.keyOf('msg.edit') : undefined;
    return key === undefined ? 'Edit not saved' : `Edit not saved · ${key} continues it`;
  }

  /** Date, unread separator and conversation heading, each only where it changes. */
  #lead(message: Message, above: Message | undefined): readonly PaneLine[] {
    const {visit} = this.#request;
    const lead: PaneLine[] = [];
    if (this.#isNewDay(message, above)) lead.push(dateLine(this.#typeset, message.timestamp * 1000));
    if (visit.firstUnread === message.id) lead.push(unreadLine(this.#typeset, visit.unreadCount));
    if (this.#isMultiConversation && (lead.length > 0 || above?.conversationKey !== message.conversationKey)) {
      if (lead.length === 0 && above !== undefined) lead.push(blankLine);
      lead.push(recipientLine(this.#typeset, this.#frame.account, conversationOf(message)));
    }
    return lead;
  }

  #isNewDay(message: Message, above: Message | undefined): boolean {
    return above === undefined || dayOf(this.#typeset, above.timestamp) !== dayOf(this.#typeset, message.timestamp);
  }

  #unsentBlock(entry: OutboxEntry): RowBlock {
    const {account} = this.#frame;
    const before = this.before(entry.id);
    const above = typeof before === 'number' ? account.messages.byId.get(before) : undefined;
    const entryAbove = typeof before === 'string' ? this.#unsent.find(({id}) => id === before) : undefined;
    const {userId} = account.self;
    const key = conversationKey(entry.conversation);
    const keyAbove = entryAbove === undefined ? above?.conversationKey : conversationKey(entryAbove.conversation);
    const isSameConversation = keyAbove === key;
    const isSameSender = entryAbove !== undefined || (above?.senderId === userId && !above.isMe);
    const agoSeconds = above === undefined ? 0 : entry.createdAt / 1000 - above.timestamp;
    const showsName = !(isSameConversation && isSameSender && agoSeconds < groupSeconds);
    const appearance: MarginAppearance = {
      name: userName(account, userId),
      nameRole: senderRole({id: userId, isSelf: true}),
      showsName,
      showsTime: showsName,
      mark: this.#markOf(entry.id),
      isUnread: false,
    };
    const lines = unsentLines(this.#typeset, entry, {
      ...appearance,
      isSlow: this.#request.visit.slowOutboxIds.includes(entry.id),
      isOnline: account.connection.phase === 'online',
    });
    if (!this.#isMultiConversation || isSameConversation) return {lines, lead: 0};
    const lead = [blankLine, recipientLine(this.#typeset, account, entry.conversation)];
    return {lines: [...lead, ...lines], lead: lead.length};
  }

  #above(id: number): Message | undefined {
    const above = this.ids.before(id);
    return above === undefined ? undefined : this.#frame.account.messages.byId.get(above);
  }

  #markOf(key: RowKey): CursorMark {
    return key === this.#request.selected ? this.#request.mark : 'none';
  }
}

const nothing: RowBlock = {lines: [], lead: 0};

function continues(above: Message | undefined, message: Message): boolean {
  return (
    above !== undefined &&
    above.senderId === message.senderId &&
    above.conversationKey === message.conversationKey &&
    !above.isMe &&
    !message.isMe &&
    message.timestamp - above.timestamp < groupSeconds
  );
}

function minuteOf(message: Message | undefined): number | undefined {
  return message === undefined ? undefined : Math.floor(message.timestamp / 60);
}
