import {setTimeout} from 'node:timers/promises';
import {expect} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {withoutMessages} from '#state/messages/loaded-messages.ts';
import {messageFromWire} from '#state/model/message.ts';
import {statusFromWire} from '#state/slices/statuses.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {givenAccounts} from '#test/given-server/given-server.ts';
import {expectSame} from '#test/support/differences.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';
import {decodeEvent, type ServerEvent} from '#wire/events.ts';
import {levels} from '#wire/levels.ts';
import {fetchedMessage} from '#wire/objects/message.ts';
import {snapshot} from '#wire/register.ts';
import {decode, type Schema, s} from '#wire/schema.ts';
import {type Plain, plainMessages, plainState} from './plain-state.ts';

/** How often, and how long each time, events of a given server are waited for. */
const maxWaits = 20;
const eventWaitMs = 500;

/** The state that a registered client has, and where its event queue continues. */
interface ClientState {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly state: AccountState;
}

/**
 * Checks for several users that an action's events are complete: a client's state before it, with the events applied,
 * equals the state after a new registration and a new fetch of its messages. Applying the events twice changes nothing.
 */
export class ConsistencyChecker {
  readonly #server: TestServer;
  /** The state of each user after their last registration. */
  readonly #clients = new Map<Person, ClientState>();
  /** Messages before this one are not compared. On a given server they are the history of the account. */
  #firstMessageId: number | undefined;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** The first user must receive an event, so that the check cannot pass because nothing was sent. */
  async expectEventsMatchRegistration(
    people: readonly Person[],
    action: () => unknown,
    name = 'the action',
  ): Promise<void> {
    if (givenAccounts() !== undefined) this.#firstMessageId ??= await newestMessageId(this.#server, people);
    const before = await Promise.all(people.map((person) => this.#currentState(person)));
    await action();
    await Promise.all(
      people.map(async (person, index) => {
        const [start] = before.slice(index, index + 1);
        if (start !== undefined) await this.#expectConsistent(person, start, index === 0 ? name : undefined);
      }),
    );
  }

  async #register(person: Person): Promise<ClientState> {
    const server = this.#server;
    const response = await server.as(person).post('/register', {...registerArgs(server.context.level)});
    const registration = decoded(snapshot, response);
    const state = stateFromSnapshot(registration, {url: server.url, now: server.context.clock.now()});
    return {
      queueId: registration.queue_id ?? '',
      lastEventId: registration.last_event_id,
      state: await withMessages(server, person, state, this.#firstMessageId),
    };
  }

  /** Returns the state of a new registration, or of the last one with the events since then. */
  async #currentState(person: Person): Promise<ClientState> {
    const client = this.#clients.get(person);
    if (client === undefined) return this.#register(person);
    const events = await eventsOf(this.#server, person, client);
    return {
      ...client,
      lastEventId: events.at(-1)?.id ?? client.lastEventId,
      state: events.reduce(applyEvent, client.state),
    };
  }

  /**
   * With `name`, at least one event must have been sent. An embedded server sends the events before its response; a
   * given server may send them later, so the check is repeated until it holds or no more events come.
   */
  async #expectConsistent(person: Person, before: ClientState, name: string | undefined): Promise<void> {
    let events = await eventsOf(this.#server, person, before);
    for (let waits = 0; ; waits++) {
      try {
        await this.#expectSameAsFresh(person, before, events, name);
        return;
      } catch (error) {
        if (givenAccounts() === undefined || waits === maxWaits) throw error;
        await setTimeout(eventWaitMs);
        const lastEventId = events.at(-1)?.id ?? before.lastEventId;
        events = [...events, ...(await eventsOf(this.#server, person, {...before, lastEventId}))];
      }
    }
  }

  async #expectSameAsFresh(
    person: Person,
    before: ClientState,
    events: readonly ServerEvent[],
    name: string | undefined,
  ): Promise<void> {
    if (name !== undefined) expect(events.length, `events of ${name}`).toBeGreaterThan(0);
    const after = events.reduce(applyEvent, before.state);
    const fresh = await this.#register(person);
    this.#clients.set(person, fresh);
    const label = `${person.fullName} after ${JSON.stringify(events)}`;
    expectSame(comparedState(after), comparedState(fresh.state), label);
    expectSame(
      plainMessages(withoutUnreceived(after, fresh.state)),
      plainMessages(withoutUnreceived(withoutUnknownMoved(fresh.state, before.state), fresh.state)),
      label,
    );
    const twice = events.reduce(applyEvent, after);
    if (deepEqual(twice, after)) return;
    expectSame(plainState(twice), plainState(after), `${label}, twice`);
    expectSame(plainMessages(twice), plainMessages(after), `${label}, twice`);
  }
}

/**
 * Removes messages that are no longer received because they moved to a channel without a subscription. Below level 378
 * a deleted channel may be archived, so clients keep its messages: they are removed from the comparison too.
 */
function withoutUnreceived(state: AccountState, fresh: AccountState): AccountState {
  const keepsDeletedChannels = fresh.server.level < levels.archiveEvents;
  const ids = [...state.messages.byId.values()]
    .filter(
      (message) =>
        message.flags.includes('historical') ||
        (keepsDeletedChannels && message.kind === 'channel' && !fresh.channels.has(message.channelId)),
    )
    .map(({id}) => id);
  return {...state, messages: withoutMessages(state.messages, ids)};
}

/**
 * Removes messages that became readable by a move: events do not contain them, and guests are not even told. A client
 * has to fetch them.
 */
function withoutUnknownMoved(fresh: AccountState, before: AccountState): AccountState {
  const unknown = [...fresh.messages.byId.values()].filter(
    (message) => message.kind === 'channel' && message.movedAt !== undefined && !before.messages.byId.has(message.id),
  );
  const ids = unknown.map(({id}) => id);
  return {...fresh, messages: withoutMessages(fresh.messages, ids)};
}

/**
 * Presence changes on a given server without events and without the test's doing. Who becomes invisible is away for others
 * only after their next registration, because no event tells it.
 */
function comparedState(state: AccountState): Plain {
  const {presences, server, ...rest} = plainState({...state, statuses: withoutOthersAway(state)});
  if (givenAccounts() === undefined) return {...rest, presences, server};
  const {serverTimestamp: _, ...serverFields} = server as Plain;
  return {...rest, server: serverFields};
}

function withoutOthersAway({statuses, self}: AccountState): AccountState['statuses'] {
  const others = [...statuses].filter(([id, {away}]) => id !== self.userId && away === true);
  return others.reduce((rest, [id, status]) => {
    const shown = statusFromWire({away: false}, status);
    return shown === undefined ? rest.without(id) : rest.with(id, shown);
  }, statuses);
}

/** Returns the state with all messages that the user received from this one on. */
async function withMessages(
  server: TestServer,
  person: Person,
  state: AccountState,
  firstMessageId: number | undefined,
): Promise<AccountState> {
  const response = await server.as(person).get('/messages', {
    anchor: firstMessageId ?? 'oldest',
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  const wire = decoded(s.array(fetchedMessage), response.messages);
  const started = applyEvent(state, {type: 'fetch_started'});
  return applyEvent(started, {
    type: 'messages_fetched',
    messages: wire.map((message) => messageFromWire(message, message.flags, state.self.userId)),
    unreadIds: wire.filter(({flags}) => !flags.includes('read')).map(({id}) => id),
    since: started.log.last,
    page: undefined,
  });
}

/** Returns an id that is greater than those of all messages that these users have. */
async function newestMessageId(server: TestServer, people: readonly Person[]): Promise<number> {
  const responses = await Promise.all(
    people.map((person) => server.as(person).get('/messages', {anchor: 'newest', num_before: 1, num_after: 0})),
  );
  return 1 + Math.max(0, ...responses.map(({messages}) => messages.at(-1)?.id ?? 0));
}

async function eventsOf(
  server: TestServer,
  person: Person,
  {queueId, lastEventId}: ClientState,
): Promise<ServerEvent[]> {
  const params = {queue_id: queueId, last_event_id: lastEventId, dont_block: true};
  const {events} = await server.as(person).get('/events', params);
  return events.map((raw: unknown) => {
    const event = decodeEvent(raw, ({path, reason}) => {
      throw new Error(`${path}: ${reason}`);
    });
    if (event.type === 'unknown') throw new Error(`Unknown event: ${JSON.stringify(event)}`);
    return event;
  });
}

function decoded<T>(schema: Schema<T>, raw: unknown): T {
  const result = decode(schema, raw);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
