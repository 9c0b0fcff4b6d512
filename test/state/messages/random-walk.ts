import {expect} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import type {LocalEventOf, StateEvent} from '#state/local-events.ts';
import {replayEvents} from '#state/messages/event-log.ts';
import type {Message} from '#state/model/message.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  topicNarrow,
} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {canBeTrimmed, idsNeededByEvents} from '#state/persistence/message-evictor.ts';
import type {LoggedEvent} from '#state/slices/event-log.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {extentIds, windowAround} from '#state/timelines/timeline-changes.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {applyChecked, threeChannelState, timeline} from './messages-fixture.ts';
import {NaiveServer, type ServerAction} from './naive-server.ts';
import {messageInResponse} from './naive-server-posts.ts';

export const walkNarrows: readonly Narrow[] = [
  everythingNarrow,
  channelNarrow(1),
  topicNarrow(1, 'a'),
  topicNarrow(2, 'B'),
  [...channelNarrow(1), {operator: 'topic', operand: 'a', negated: true}],
  directNarrow([11]),
  narrowIs('dm'),
  narrowIs('starred'),
  narrowIs('unread'),
  narrowIs('mentioned'),
  narrowIs('resolved'),
  [{operator: 'in', operand: 'home'}],
  [{operator: 'has', operand: 'reaction'}],
  [{operator: 'search', operand: 'x'}],
  [...channelNarrow(1), {operator: 'search', operand: 'y'}],
];

export type WalkStep =
  | {kind: 'wish'; wish: ServerAction}
  /** Delivers events late: a response may be newer than the delivered events. */
  | {kind: 'deliver'; count: number}
  | {kind: 'ask'; narrow: number; how: 'newest' | 'oldest' | 'older' | 'newer'; answersAtOnce: boolean}
  | {kind: 'land'; flight: number}
  | {kind: 'close'; narrow: number}
  /** Evicts all messages beyond `reach` around a center of each timeline, as far as nothing is loading. */
  | {kind: 'evict'; center: number; reach: number}
  /** Loads evicted messages around a center of one timeline from disk. */
  | {kind: 'restore'; narrow: number; center: number; reach: number};

interface Flight {
  readonly since: LoggedEvent | undefined;
  readonly answer: () => Omit<LocalEventOf<'messages_fetched'>, 'since'>;
}

const pageSize = 4;

/** A client, its server, and all requests and events in flight between them. */
export class RandomWalk {
  readonly server = new NaiveServer();
  state: AccountState = threeChannelState();
  readonly #flights: Flight[] = [];
  /** The evicted messages, which events keep current. */
  #disk = new Map<number, Message>();

  /** Runs actions before the client starts: their messages are known as unread, but not loaded. */
  begin(early: readonly ServerAction[]): void {
    for (const action of early) this.server.do(action);
    this.server.start();
    const {posts} = this.server;
    const unread = posts
      .filter(({isUnread}) => isUnread)
      .map(({id, conversation, flags}) => ({
        id,
        conversation:
          'topic' in conversation
            ? ({kind: 'topic', ...conversation} as const)
            : ({kind: 'direct', ...conversation} as const),
        isMention: flags.has('mentioned'),
      }));
    this.state = {
      ...this.state,
      unreads: addUnreads(noUnreads, unread),
      starred: SortedSet.from(posts.filter(({flags}) => flags.has('starred')).map(({id}) => id)),
      maxMessageId: Math.max(-1, ...posts.map(({id}) => id)),
    };
  }

  apply(event: StateEvent): void {
    const before = this.state;
    this.state = applyChecked(before, event);
    if (this.state.log.fetchesInFlight === 0 && touches[event.type] !== undefined) {
      expect(applyEvent(this.state, event)).toBe(this.state);
    }
    const strangers = changedSlices(before, this.state).filter((name) => !touches[event.type]?.includes(name));
    if (touches[event.type] !== undefined) expect(strangers, event.type).toEqual([]);
  }

  take(step: WalkStep): void {
    switch (step.kind) {
      case 'wish':
        this.server.do(step.wish);
        break;
      case 'deliver':
        this.#deliver(step.count);
        break;
      case 'ask':
        this.#ask(step);
        break;
      case 'land':
        this.#receiveResponse(step.flight);
        break;
      case 'close':
        this.apply({type: 'timeline_closed', narrow: walkNarrows[step.narrow] ?? everythingNarrow});
        break;
      case 'evict':
        this.#evict(step);
        break;
      case 'restore':
        this.#restore(walkNarrows[step.narrow] ?? everythingNarrow, step);
    }
  }

  #deliver(count?: number): void {
    for (const event of this.server.drain(count)) {
      this.apply(event);
      this.#disk = new Map(
        replayEvents([...this.#disk.values()], [], [{event, subscriptions: this.state.subscriptions}]).messages,
      );
    }
  }

  #evict({center, reach}: Extract<WalkStep, {kind: 'evict'}>): void {
    const {byId} = this.state.messages;
    const views = [...this.state.timelines.values()].map(({narrow, ids}) => {
      const all = ids.toArray();
      return {narrow, window: windowAround(all, all[center % Math.max(1, all.length)] ?? 0, reach)};
    });
    const trimmed = views.filter(({narrow}) => canBeTrimmed(timeline(this.state, narrow)));
    const shown = views.flatMap(({narrow, window: [first, last]}) => {
      const {ids} = timeline(this.state, narrow);
      const isTrimmed = trimmed.some((view) => view.narrow === narrow);
      return ids.toArray().filter((id) => !isTrimmed || (id >= first && id <= last));
    });
    const kept = new Set([...shown, ...idsNeededByEvents(this.state)]);
    const evicted = [...byId.values()].filter(({id}) => !kept.has(id));
    for (const message of evicted) this.#disk.set(message.id, message);
    this.apply({type: 'messages_evicted', windows: trimmed, ids: evicted.map(({id}) => id)});
  }

  #restore(narrow: Narrow, {center, reach}: Pick<Extract<WalkStep, {kind: 'restore'}>, 'center' | 'reach'>): void {
    const found = [...this.state.timelines.values()].find((each) => each.narrow === narrow);
    if (found === undefined || found.isStale || found.loading !== undefined || found.evicted === undefined) return;
    const ids = extentIds(found);
    const window = windowAround(ids, ids[center % ids.length] ?? 0, reach);
    const missing = ids.filter((id) => id >= window[0] && id <= window[1] && !this.state.messages.byId.has(id));
    const messages = missing.map((id) => this.#disk.get(id) ?? expect.fail(`${id} is not on disk`));
    this.apply({type: 'timeline_window_moved', narrow, window, messages});
  }

  #ask({narrow: index, how, answersAtOnce: respondsAtOnce}: Extract<WalkStep, {kind: 'ask'}>): void {
    const narrow = walkNarrows[index] ?? everythingNarrow;
    this.apply({type: 'timeline_opened', narrow});
    const {ids, hasOldest, hasNewest} = timeline(this.state, narrow);
    const isExtension = how === 'older' || how === 'newer';
    const anchor = how === 'older' ? ids.first() : ids.last();
    if (isExtension && (anchor === undefined || (how === 'older' ? hasOldest : hasNewest))) return;
    this.apply({type: 'fetch_started'});
    this.apply({type: 'timeline_loading', narrow, loading: isExtension ? how : 'first'});
    const make = () => this.#page(narrow, how, anchor ?? 0);
    const response = respondsAtOnce ? make() : undefined;
    this.#flights.push({since: this.state.log.last, answer: () => response ?? make()});
  }

  #page(narrow: Narrow, how: string, anchor: number): Omit<LocalEventOf<'messages_fetched'>, 'since'> {
    const all = this.server.select(narrow);
    const candidates = all.filter(({id}) => (how === 'older' ? id < anchor : how === 'newer' ? id > anchor : true));
    const backwards = how === 'newest' || how === 'older';
    const posts = backwards ? candidates.slice(-pageSize) : candidates.slice(0, pageSize);
    const isWhole = posts.length === candidates.length;
    return {
      type: 'messages_fetched',
      messages: posts.map(messageInResponse),
      unreadIds: posts.filter(({isUnread}) => isUnread).map(({id}) => id),
      page: {
        narrow,
        joins: how === 'older' || how === 'newer' ? how : 'replace',
        anchor: how === 'older' || how === 'newer' ? anchor : undefined,
        foundOldest: how === 'oldest' || (backwards && isWhole),
        foundNewest: how === 'newest' || (!backwards && isWhole),
        matches: [],
      },
    };
  }

  #receiveResponse(index: number): void {
    const [flight] = this.#flights.splice(index % Math.max(1, this.#flights.length), 1);
    if (flight !== undefined) this.apply({...flight.answer(), since: flight.since});
  }

  /** Delivers everything, answers all open matches, and refetches stale timelines. */
  settle(): void {
    while (this.#flights.length > 0) this.#receiveResponse(0);
    this.#deliver();
    for (const narrow of walkNarrows) {
      this.#settleTimeline(narrow);
      this.#restore(narrow, {center: 0, reach: Number.MAX_SAFE_INTEGER});
    }
  }

  #settleTimeline(narrow: Narrow): void {
    const find = () => [...this.state.timelines.values()].find((each) => each.narrow === narrow);
    const unjudged = find()?.undecidedIds.toArray() ?? [];
    if (unjudged.length > 0) {
      const matches = this.server
        .select(narrow)
        .filter(({id}) => unjudged.includes(id))
        .map(({id}) => ({id, content: '', topic: ''}));
      this.apply({type: 'matches_fetched', narrow, decidedIds: unjudged, matches});
    }
    if (find()?.isStale !== true) return;
    this.take({kind: 'ask', narrow: walkNarrows.indexOf(narrow), how: 'newest', answersAtOnce: true});
    this.#receiveResponse(0);
    expect(find()?.isStale).toBe(false);
  }
}

/** The slices that an event may replace. */
const touches: Partial<Record<StateEvent['type'], readonly SliceName[]>> = {
  message: [
    'messages',
    'unreads',
    'starred',
    'timelines',
    'topics',
    'directs',
    'channels',
    'typing',
    'maxMessageId',
    'arrivals',
    'log',
  ],
  update_message: ['messages', 'unreads', 'timelines', 'topics', 'log', 'starred'],
  delete_message: ['messages', 'unreads', 'starred', 'timelines', 'topics', 'directs', 'log'],
  update_message_flags: ['messages', 'unreads', 'starred', 'timelines', 'log'],
  reaction: ['messages', 'timelines', 'log'],
};

function changedSlices(before: AccountState, now: AccountState): SliceName[] {
  return (Object.keys(now) as SliceName[]).filter((name) => before[name] !== now[name]);
}
