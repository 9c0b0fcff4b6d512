import {applyEvent} from '#state/apply-event.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {plainState} from '#test/contract/plain-state.ts';
import type {Reply} from '#test/support/api-client.ts';
import {differences} from '#test/support/differences.ts';
import {checkMessages, checkUnreads} from '#test/support/state-checks.ts';
import {decodeEvent} from '#wire/events.ts';
import {snapshot} from '#wire/register.ts';
import {decode} from '#wire/schema.ts';

/** Differences from a new registration that no event can tell a client. */
interface UnannouncedChanges {
  /** Whether a direct message was deleted: the event does not name its conversation. */
  readonly directs: boolean;
  /** Whether a message has a wildcard mention, which counts depending on what was muted when it arrived. */
  hasWildcardMention(messageId: number): boolean;
}

/** The state of Parley's own client, updated only by events. */
export class RealClient {
  #state: AccountState;
  /** The channels that the user could see when the client registered. */
  readonly #registeredChannels: AccountState['channels'];

  constructor(registration: Reply) {
    this.#state = stateOf(registration);
    this.#registeredChannels = this.#state.channels;
  }

  applyEvent(raw: Reply): void {
    const event = decodeEvent(raw, ({path, reason}) => {
      throw new Error(`${path}: ${reason}`);
    });
    // Queues of all event types also get types that the client does not use.
    if (event.type === 'unknown') {
      if (event.reason !== undefined) throw new Error(`${event.reason}: ${JSON.stringify(raw)}`);
      return;
    }
    this.#state = applyEvent(this.#state, event);
    checkUnreads(this.#state.unreads);
    checkMessages(this.#state.messages);
  }

  /** Returns where the state differs from a new registration. */
  differences(registration: Reply, unannounced: UnannouncedChanges): string[] {
    const fresh = stateOf(registration);
    const [byEvents, registered] = [this.#state, fresh].map((state) =>
      plainState(this.#comparable(state, unannounced)),
    );
    return differences(byEvents, registered).map((line) => `our client, by events: ${line}`);
  }

  #comparable(state: AccountState, unannounced: UnannouncedChanges): AccountState {
    const {unreads, subscriptions, channels} = state;
    return {
      ...state,
      // Clients poll for presence, so events need not be complete.
      presences: {...state.presences, byUser: SortedMap.empty()},
      // No event has the user's former settings of a channel that was hidden when the client registered.
      subscriptions: SortedMap.from(
        [...subscriptions].filter(([id, {isSubscribed}]) => isSubscribed || this.#registeredChannels.has(id)),
      ),
      // No event tells of the archiving of a hidden channel, of which a registration has no policies.
      userTopics: SortedMap.from([...state.userTopics].filter(([, {channelId}]) => channels.has(channelId))),
      directs: unannounced.directs ? SortedMap.empty() : state.directs,
      unreads: {
        ...unreads,
        mentions: SortedSet.from([...unreads.mentions].filter((id) => !unannounced.hasWildcardMention(id))),
      },
    };
  }
}

function stateOf(registration: Reply): AccountState {
  const decoded = decode(snapshot, registration);
  if (!decoded.ok) throw new Error(decoded.reason);
  return stateFromSnapshot(decoded.value, {url: '', now: 0});
}
