import {isDeepStrictEqual} from 'node:util';
import {expect} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {withoutMessages} from '#state/messages/loaded-messages.ts';
import {hasFlag, messageFromWire} from '#state/model/message.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';
import {decodeEvent, type ServerEvent} from '#wire/events.ts';
import {levels} from '#wire/levels.ts';
import {fetchedMessage} from '#wire/objects/message.ts';
import {snapshot} from '#wire/register.ts';
import {registerArgs} from '#wire/register-args.ts';
import {decode, type Schema, s} from '#wire/schema.ts';
import {plainMessages, plainState} from './plain-state.ts';

interface Watch {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly state: AccountState;
}

/**
 * The law every action obeys, for everybody who watches: what the client knew before, with the events applied, is what it
 * learns from a new registration and from fetching its messages again. Hearing of it twice makes no difference.
 */
export class ConsistencyChecker {
  readonly #server: TestServer;
  /** What each knows, from the last time they registered. */
  readonly #watches = new Map<Person, Watch>();

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Something must happen for the first of them, so that the law cannot hold by nothing being sent. */
  async expectEventsMatchRegistration(
    people: readonly Person[],
    act: () => unknown,
    what = 'it',
  ): Promise<void> {
    const before = await Promise.all(people.map((person) => this.#caughtUp(person)));
    await act();
    await Promise.all(
      people.map(async (person, index) => {
        const [start] = before.slice(index, index + 1);
        if (start !== undefined) await this.#expectLawFor(person, start, index === 0 ? what : undefined);
      }),
    );
  }

  /** A new registration, or the last one with what happened since. */
  async #caughtUp(person: Person): Promise<Watch> {
    const known = this.#watches.get(person);
    if (known === undefined) return register(this.#server, person);
    const events = await eventsOf(this.#server, person, known);
    return {
      ...known,
      lastEventId: events.at(-1)?.id ?? known.lastEventId,
      state: events.reduce(applyEvent, known.state),
    };
  }

  /** `what` must have been told of; undefined when it need not be. */
  async #expectLawFor(person: Person, before: Watch, what: string | undefined): Promise<void> {
    const events = await eventsOf(this.#server, person, before);
    if (what !== undefined) expect(events.length, `${what} is told`).toBeGreaterThan(0);
    const after = events.reduce(applyEvent, before.state);
    const fresh = await register(this.#server, person);
    this.#watches.set(person, fresh);
    const who = `${person.fullName} after ${JSON.stringify(events)}`;
    expectSame(plainState(after), plainState(fresh.state), who);
    expectSame(
      plainMessages(withoutUnheardOf(after, fresh.state)),
      plainMessages(withoutUnheardOf(withoutStrangers(fresh.state, before.state, events), fresh.state)),
      who,
    );
    const twice = events.reduce(applyEvent, after);
    if (deepEqual(twice, after)) return;
    expectSame(plainState(twice), plainState(after), `${who}, twice`);
    expectSame(plainMessages(twice), plainMessages(after), `${who}, twice`);
  }
}

/**
 * What a move took to a channel one does not subscribe to is no longer among the messages received. Below level 378 a
 * channel that is gone may be archived, so its messages stay, whether they are still received or not.
 */
function withoutUnheardOf(state: AccountState, fresh: AccountState): AccountState {
  const isKept = fresh.server.level < levels.archiveEvents;
  const ids = [...state.messages.byId.values()]
    .filter(
      (message) =>
        hasFlag(message, 'historical') ||
        (isKept && message.kind === 'channel' && !fresh.channels.has(message.channelId)),
    )
    .map(({id}) => id);
  return {...state, messages: withoutMessages(state.messages, ids)};
}

/** Messages that a move brought into sight have to be fetched: nobody tells what they say. */
function withoutStrangers(
  fresh: AccountState,
  before: AccountState,
  events: readonly ServerEvent[],
): AccountState {
  const moved = events.flatMap((event) => (event.type === 'update_message' ? event.message_ids : []));
  const strangers = moved.filter((id) => !before.messages.byId.has(id));
  return {...fresh, messages: withoutMessages(fresh.messages, strangers)};
}

/** The comparison that words the difference takes far longer than the one that finds none. */
function expectSame(actual: unknown, expected: unknown, message: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected);
}

async function register(server: TestServer, person: Person): Promise<Watch> {
  const answer = await server.as(person).post('/register', {...registerArgs(server.world.level)});
  const told = decoded(snapshot, answer);
  const state = stateFromSnapshot(told, {url: server.url, now: server.world.clock.now()});
  return {
    queueId: told.queue_id ?? '',
    lastEventId: told.last_event_id,
    state: await withMessages(server, person, state),
  };
}

/** Everything the person received. */
async function withMessages(server: TestServer, person: Person, state: AccountState): Promise<AccountState> {
  const answer = await server.as(person).get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  const wire = decoded(s.array(fetchedMessage), answer.messages);
  const started = applyEvent(state, {type: 'fetch_started'});
  return applyEvent(started, {
    type: 'messages_fetched',
    messages: wire.map((message) => messageFromWire(message, message.flags, state.self.userId)),
    unreadIds: wire.filter(({flags}) => !flags.includes('read')).map(({id}) => id),
    since: started.log.last,
    page: undefined,
  });
}

async function eventsOf(
  server: TestServer,
  person: Person,
  {queueId, lastEventId}: Watch,
): Promise<ServerEvent[]> {
  const params = {queue_id: queueId, last_event_id: lastEventId, dont_block: true};
  const {events} = await server.as(person).get('/events', params);
  return events.map((raw: unknown) => {
    const event = decodeEvent(raw, ({path, reason}) => {
      throw new Error(`${path}: ${reason}`);
    });
    if (event.type === 'unknown') throw new Error(`Not understood: ${JSON.stringify(event)}`);
    return event;
  });
}

function decoded<T>(schema: Schema<T>, raw: unknown): T {
  const result = decode(schema, raw);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
