import type {AccountStore} from '#state/account-store.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {IdWindow, Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {extentIds, windowAround} from '#state/timelines/timeline-changes.ts';
import {maxSavedMessages} from '#state/timelines/timeline-pages.ts';
import {memoByObject} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {firstUnreadOf, pageSize, type TimelineOpening} from './open-timelines.ts';

/** The maximum number of saved messages that a narrow filters. Reading this many takes a few hundredths of a second. */
const maxFiltered = 5000;

/**
 * Returns the saved messages of a view, newest first. Search terms use the full-text index; terms that only
 * the server can evaluate, such as `has:link`, match nothing. Messages newer than the newest known one are
 * left out: their events are still to come.
 */
export function savedMessagesOf(
  store: Pick<AccountStore, 'messages'>,
  state: AccountState,
  narrow: Narrow,
): readonly Message[] {
  const searchTerms = narrow.filter(isSearchTerm);
  const others = narrow.filter((term) => !isSearchTerm(term));
  const messages: Message[] = [];
  for (const message of candidates(store, searchTerms, others)) {
    if (message.id > state.maxMessageId || messageMatchesNarrow(state, others, message) !== true) continue;
    if (messages.push(message) >= maxSavedMessages) break;
  }
  return messages;
}

function isSearchTerm({operator, negated}: NarrowTerm): boolean {
  return operator === 'search' && negated !== true;
}

function candidates(store: Pick<AccountStore, 'messages'>, searchTerms: Narrow, others: Narrow): readonly Message[] {
  if (searchTerms.length > 0) {
    const text = searchTerms.map(({operand}) => String(operand)).join(' ');
    return store.messages.search(text, others.length === 0 ? maxSavedMessages : maxFiltered);
  }
  const conversation = conversationOfNarrow(others);
  return conversation === undefined
    ? store.messages.newest(maxFiltered).toReversed()
    : store.messages.ofConversation(conversationKey(conversation), maxSavedMessages).toReversed();
}

/** At least this many messages before and after the one that the user looks at are loaded, if they are known. */
const minAround = 100;
/** A view that follows the newest message keeps the selected one loaded, unless it is further away. */
const maxFollowed = 1000;

/** Loads evicted messages of open timelines from disk, at once, so that no frame shows the view without them. */
export class EvictedMessages {
  readonly #context: SessionContext;
  /** The mark of the disk when nothing was evicted yet: since then only this process may have written. */
  #mark: string | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Forgets what was evicted if another process may have replaced it on disk by an outdated version. */
  check(): void {
    const mark = this.#context.store.messages.externalWriteMark();
    if (mark !== undefined && mark === this.#mark) return;
    this.#mark = mark;
    this.#context.cache.apply({type: 'evicted_messages_lost', narrow: undefined});
  }

  /** Moves the window to the message at which the timeline is opened. Returns whether it is loaded. */
  loadAnchor({narrow, anchor, viewedMessageId}: TimelineOpening & {readonly narrow: Narrow}): boolean {
    const timeline = this.#timeline(narrow);
    if (timeline?.evicted === undefined || typeof anchor === 'object') return true;
    const ids = extentIds(timeline);
    const target =
      typeof anchor === 'number' ? anchor : anchor === 'oldest' ? ids[0] : this.#firstUnread(narrow, anchor);
    if (target !== undefined) return this.#load(timeline, windowAround(ids, target, minAround));
    const newest = windowAround(ids, ids.at(-1) ?? 0, minAround);
    const viewed = windowAround(ids, viewedMessageId ?? newest[0], minAround);
    const isFar = ids.filter((id) => id > viewed[0]).length > maxFollowed;
    return this.#load(timeline, isFar ? newest : [Math.min(viewed[0], newest[0]), newest[1]]);
  }

  #firstUnread(narrow: Narrow, anchor: 'firstUnread' | 'newest'): number | undefined {
    return anchor === 'newest' ? undefined : firstUnreadOf(this.#context.cache.state, narrow);
  }

  /** Loads the messages around the one that the user looks at. */
  loadAround(narrow: Narrow, messageId: number): void {
    const timeline = this.#timeline(narrow);
    if (timeline?.evicted === undefined || isInside(timeline, messageId)) return;
    this.#load(timeline, windowAround(extentIds(timeline), messageId, 2 * minAround));
  }

  /** Loads the next page. Returns false when nothing is evicted at this end, or the disk does not have it any more. */
  loadPage(narrow: Narrow, joins: 'older' | 'newer', size = pageSize): boolean {
    const timeline = this.#timeline(narrow);
    const end = joins === 'older' ? timeline?.ids.first() : timeline?.ids.last();
    if (timeline?.evicted === undefined || end === undefined) return false;
    if ((joins === 'older' ? timeline.evicted.older : timeline.evicted.newer).size === 0) return false;
    const [before, after] = joins === 'older' ? [size, 0] : [0, size];
    return this.#load(timeline, windowAround(extentIds(timeline), end, before, after));
  }

  /** Returns a timeline whose evicted messages may be loaded. */
  #timeline(narrow: Narrow): Timeline | undefined {
    const {base} = this.#context.cache;
    const timeline = base.timelines.get(narrowKey(narrow));
    return timeline?.isStale === false && isLiveView(base, narrow) ? timeline : undefined;
  }

  /** Loads a window, together with the present one where they overlap or adjoin. */
  #load(timeline: Timeline, [first, last]: IdWindow): boolean {
    const {cache, store} = this.#context;
    const {narrow, ids} = timeline;
    const [start = first, end = last] = [ids.first(), ids.last()];
    const isApart = last < start || first > end;
    const window: IdWindow = isApart ? [first, last] : [Math.min(first, start), Math.max(last, end)];
    const missing = extentIds(timeline).filter(
      (id) => id >= window[0] && id <= window[1] && !cache.base.messages.byId.has(id),
    );
    if (missing.length > 0) this.check();
    const messages = store.messages.byIds(missing);
    if (this.#timeline(narrow)?.evicted === undefined || messages.length < missing.length) {
      cache.apply({type: 'evicted_messages_lost', narrow});
      return false;
    }
    cache.apply({type: 'timeline_window_moved', narrow, window, messages});
    return true;
  }
}

/** Returns whether enough messages around this one are loaded. Asked for each line of scrolling. */
function isInside({ids, evicted}: Timeline, messageId: number): boolean {
  const {first = Number.POSITIVE_INFINITY, last = Number.NEGATIVE_INFINITY} = innerIds(ids);
  const hasBefore = (evicted?.older.size ?? 0) === 0 || messageId >= first;
  const hasAfter = (evicted?.newer.size ?? 0) === 0 || messageId <= last;
  return hasBefore && hasAfter && ids.has(messageId);
}

/** The first and the last message with enough others before and after it. */
const innerIds = memoByObject((ids: SortedSet<number>) => {
  const {value: first} = Iterator.from(ids).drop(minAround).next();
  const {value: last} = Iterator.from(ids.reversed()).drop(minAround).next();
  return {first, last};
});
