import {expect} from 'vitest';
import type {ServerOptions} from '#server/server.ts';
import type {ApiClient, Listener, Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {decode} from '#wire/schema.ts';

export interface OperationsFixture {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly owner: Person;
  readonly admin: Person;
  readonly moderator: Person;
  readonly meg: Person;
  readonly otto: Person;
  readonly guest: Person;
  /** Owned by Meg. */
  readonly bot: Person;
  /** A member without subscriptions. */
  readonly outsider: Person;
  /** A public channel; all users but the outsider and the bot are subscribed. */
  readonly general: number;
  as(person: Person): ApiClient;
}

/** Starts a server with a manual clock and one user of every role. */
export async function operationsFixture(options: ServerOptions = {}): Promise<OperationsFixture> {
  const clock = new ManualClock();
  const server = await testServer({clock, ...options});
  const {people} = server;
  const owner = people.owner();
  const admin = people.admin();
  const moderator = people.moderator();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const guest = people.guest();
  const bot = people.bot('Rob Bot', meg);
  const outsider = people.member('Una Outsider');
  const general = people.channel('general', [owner, admin, moderator, meg, otto, guest]);
  return {
    server,
    clock,
    owner,
    admin,
    moderator,
    meg,
    otto,
    guest,
    bot,
    outsider,
    general,
    as: (person) => server.as(person),
  };
}

/** Returns the reply after checking it against the endpoint's result schema. */
export function expectValid(endpoint: Pick<Endpoint, 'id' | 'result'>, reply: Reply): Reply {
  const decoded = decode(endpoint.result, reply);
  expect(decoded.ok ? 'valid' : decoded.reason, endpoint.id).toBe('valid');
  return reply;
}

/** Returns the names of a response's fields except result and msg. */
export function responseFields({result, msg, ...fields}: Reply): string[] {
  expect([result, msg]).toEqual(['success', '']);
  return Object.keys(fields).sort();
}

export const envelopeOnly = {result: 'success', msg: ''};

export async function sendToChannel(
  client: ApiClient,
  to: number,
  topic = 'lunch',
  content = 'Hello',
): Promise<number> {
  return (await client.post('/messages', {type: 'channel', to, topic, content})).id;
}

export async function sendDirect(client: ApiClient, to: readonly number[], content = 'Psst'): Promise<number> {
  return (await client.post('/messages', {type: 'direct', to, content})).id;
}

/** Returns the events of one type that a listener got since the last call. */
export async function eventsOf(listener: Listener, type: string): Promise<Reply[]> {
  return (await listener.events()).filter((event) => event.type === type);
}

/** Returns the event without its id. */
export function withoutEventId({id: _id, ...event}: Reply): Reply {
  return event;
}
