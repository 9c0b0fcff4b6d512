import {isDeepStrictEqual} from 'node:util';
import {applyEvent} from '#state/apply-event.ts';
import {checkMessages} from '#state/messages/loaded-messages.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {checkUnreads} from '#state/unreads/unreads.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {plainState} from '#test/contract/plain-state.ts';
import type {Reply} from '#test/support/api-client.ts';
import {decodeEvent} from '#wire/events.ts';
import {snapshot} from '#wire/register.ts';
import {decode} from '#wire/schema.ts';

/** What no event tells, decided by whoever knows the whole world. */
export interface UnannouncedChanges {
  /** A deletion does not say whose conversation it was in. */
  readonly directs: boolean;
  /** Whether a mention of everybody counts follows from what was muted when, of messages that were never loaded. */
  isOfEverybody(messageId: number): boolean;
}

/** Our own client's state, kept by events alone. */
export class RealClient {
  #state: AccountState;

  constructor(registration: Reply) {
    this.#state = stateOf(registration);
  }

  applyEvent(raw: Reply): void {
    const event = decodeEvent(raw, ({path, reason}) => {
      throw new Error(`${path}: ${reason}`);
    });
    // Types that the client does not ask for come to queues that ask for everything.
    if (event.type === 'unknown') {
      if (event.reason !== undefined) throw new Error(`${event.reason}: ${JSON.stringify(raw)}`);
      return;
    }
    this.#state = applyEvent(this.#state, event);
    checkUnreads(this.#state.unreads);
    checkMessages(this.#state.messages);
  }

  /** Where it differs from what a new registration says, slice by slice. */
  differences(registration: Reply, untold: UnannouncedChanges): string[] {
    const fresh = stateOf(registration);
    const [kept, told] = [this.#state, fresh].map((state) => plainState(this.#comparable(state, untold)));
    return Object.keys({...kept, ...told}).flatMap((slice) => {
      const [a, b] = [kept?.[slice], told?.[slice]];
      if (isDeepStrictEqual(a, b)) return [];
      return [`our client: ${slice}\n  by events ${JSON.stringify(a)}\n  afresh    ${JSON.stringify(b)}`];
    });
  }

  #comparable(state: AccountState, untold: UnannouncedChanges): AccountState {
    const {unreads, subscriptions, subscribers} = state;
    return {
      ...state,
      // Clients poll for presence; events only hasten it.
      presences: {...state.presences, byUser: SortedMap.empty()},
      // Somebody who lost sight of a channel and got it back is not told that they once were subscribed.
      subscriptions: SortedMap.from([...subscriptions].filter(([, {isSubscribed}]) => isSubscribed)),
      // Of some channels that came into sight only a part is known.
      subscribers: SortedMap.from(
        [...subscribers].filter(([id]) => this.#state.subscribers.get(id)?.complete),
      ),
      directs: untold.directs ? SortedMap.empty() : state.directs,
      unreads: {
        ...unreads,
        mentions: SortedSet.from([...unreads.mentions].filter((id) => !untold.isOfEverybody(id))),
      },
    };
  }
}

function stateOf(registration: Reply): AccountState {
  const told = decode(snapshot, registration);
  if (!told.ok) throw new Error(told.reason);
  return stateFromSnapshot(told.value, {url: '', now: 0});
}
