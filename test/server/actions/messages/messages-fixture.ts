import type {ApiClient, Listener} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

export interface MessagesFixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  /** Not subscribed to the channel. */
  readonly nina: Person;
  /** A public channel that Meg and Otto are subscribed to. */
  readonly general: number;
  readonly asMeg: ApiClient;
  readonly asOtto: ApiClient;
  readonly asNina: ApiClient;
}

export async function messagesFixture(options: Parameters<typeof testServer>[0] = {}): Promise<MessagesFixture> {
  const server = await testServer(options);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const nina = server.people.member('Nina Nonsub');
  const general = server.people.channel('general', [meg, otto]);
  return {
    server,
    meg,
    otto,
    nina,
    general,
    asMeg: server.as(meg),
    asOtto: server.as(otto),
    asNina: server.as(nina),
  };
}

/** Sends a message to a topic of a channel and returns its id. */
export async function sendToChannel(
  client: ApiClient,
  to: number,
  content = 'Hello',
  topic = 'lunch',
): Promise<number> {
  return (await client.post('/messages', {type: 'channel', to, topic, content})).id;
}

export async function sendDirect(client: ApiClient, to: readonly number[], content = 'Psst'): Promise<number> {
  return (await client.post('/messages', {type: 'direct', to, content})).id;
}

/** Returns the events of one type that a listener got since the last call. */
export async function eventsOf(listener: Listener, type: string) {
  return (await listener.events()).filter((event) => event.type === type);
}
