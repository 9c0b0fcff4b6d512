import type {ServerOptions} from '#server/server.ts';
import type {ApiClient, Listener, Params, Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {type OpenParleyOptions, openParley} from '#test/support/terminal/parley.ts';
import type {Ending, Size, Terminal} from '#test/support/terminal/terminal.ts';

const largeSize: Size = {cols: 200, rows: 50};
export const usualSize: Size = {cols: 80, rows: 24};
/** The smallest size that users work with. */
export const smallSize: Size = {cols: 40, rows: 15};
/** The sizes for tests whose course depends on the size. Other tests use one size, because every terminal takes a second. */
export const sizes: readonly Size[] = [largeSize, usualSize, smallSize];
/** The sizes for tests whose course is the same between the extremes; all other tests use the usual size. */
export const extremeSizes: readonly [Size, Size] = [largeSize, smallSize];

export const tides = '#harbour>tides';

/** A server with two users who have talked about tides and ropes, and functions to act as one of them. */
export interface TwoUserFixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  /** Sends a message to a topic of `#harbour` and returns its id. */
  sendToTopic(person: Person, topic: string, content: string): Promise<number>;
  sendDirect(from: Person, to: Person, content: string): Promise<number>;
  /** Returns the contents of a topic of `#harbour` on the server, oldest first. */
  topicMessages(topic: string): Promise<readonly string[]>;
  message(id: number): Promise<Reply>;
  /** Returns the user's unread message ids in order, as a new registration has them. */
  unread(person: Person): Promise<readonly number[]>;
  /** Calls a test hook of the server, for example to inject faults; see test/README.md. */
  hook(name: string, body?: Params): Promise<void>;
  /** Starts the program as a user. */
  open(person: Person, options?: OpenParleyOptions): Terminal;
}

export async function twoUserFixture(options: ServerOptions = {}): Promise<TwoUserFixture> {
  // Tests ask the server about the same users again and again, which must not use up what the program may ask.
  const server = await testServer({testHooks: true, rateLimited: false, ...options});
  const settings = {enter_sends: true};
  const meg = server.people.add('Meg Member', {settings});
  const otto = server.people.add('Otto Other', {settings});
  server.people.channel('harbour', [meg, otto]);
  server.people.channel('engines', [meg, otto]);
  const post = async (person: Person, params: Params) =>
    (await server.as(person).post('/messages', {read_by_sender: true, ...params})).id;
  const chat: TwoUserFixture = {
    server,
    meg,
    otto,
    sendToTopic: (person, topic, content) => post(person, {type: 'stream', to: 'harbour', topic, content}),
    sendDirect: (from, to, content) => post(from, {type: 'direct', to: [to.id], content}),
    async topicMessages(topic) {
      const narrow = [
        {operator: 'channel', operand: 'harbour'},
        {operator: 'topic', operand: topic},
      ];
      const params = {narrow, anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false};
      const {messages} = await server.as(meg).get('/messages', params);
      return messages.map(({content}: {content: string}) => content);
    },
    message: async (id) => (await server.as(meg).get(`/messages/${id}`, {apply_markdown: false})).message,
    unread: async (person) => (await readState(server.as(person))).unread,
    async hook(name, body = {}) {
      const headers = {'content-type': 'application/json'};
      await fetch(`${server.url}/test-hooks/${name}`, {method: 'POST', headers, body: JSON.stringify(body)});
    },
    open: (person, options = {}) => openParley({server, person, ...options}),
  };
  await chat.sendToTopic(otto, 'tides', 'The spring tide is at four.');
  await chat.sendToTopic(meg, 'tides', 'Then we leave at three.');
  await chat.sendToTopic(otto, 'tides', 'Agreed, see you at the quay.');
  await chat.sendToTopic(otto, 'ropes', 'The blue rope is worn.');
  await chat.sendDirect(otto, meg, 'Are you coming along?');
  return chat;
}

/** The state of a user's messages and topics on the server. */
interface ReadState {
  readonly unread: readonly number[];
  readonly starred: readonly number[];
  /** `<channel id> <topic>` → visibility policy, for topics that have one. */
  readonly policies: Readonly<Record<string, number>>;
}

const readStateTypes = ['message', 'update_message_flags', 'starred_messages', 'user_topic'];

/** Reads the state from a new registration and deletes its queue. */
export async function readState(client: ApiClient): Promise<ReadState> {
  const state = await client.post('/register', {fetch_event_types: readStateTypes, event_types: []});
  await client.delete('/events', {queue_id: state.queue_id});
  const {pms, huddles, streams} = state.unread_msgs;
  const unread = [...pms, ...huddles, ...streams].flatMap(({unread_message_ids: ids}: Reply) => ids);
  const policies = state.user_topics
    .filter(({visibility_policy: policy}: Reply) => policy !== 0)
    .map(({stream_id: id, topic_name: topic, visibility_policy: policy}: Reply) => [`${id} ${topic}`, policy]);
  return {
    unread: unread.sort((a, b) => a - b),
    starred: state.starred_messages.toSorted((a: number, b: number) => a - b),
    policies: Object.fromEntries(policies.toSorted()),
  };
}

/** Starts the program in the conversation about tides and waits for its last message. */
export async function openTides(
  {open, meg}: TwoUserFixture,
  size: Size,
  options: OpenParleyOptions = {},
): Promise<Terminal> {
  const terminal = open(meg, {size, args: [tides], ...options});
  await terminal.waitFor('see you at the quay');
  return terminal;
}

/** Waits until the inbox has all of Meg's unread conversations: Otto, and the topics about ropes and tides. */
export async function waitForAllUnread(terminal: Terminal): Promise<void> {
  const names = ['Otto Other', 'ropes', 'tides'];
  await terminal.waitFor(({text}) => names.every((name) => text.includes(name)), 'all three');
}

/** Opens the composer with `r`. */
export async function startWriting(terminal: Terminal): Promise<void> {
  terminal.keys('r');
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
}

/** Quits with Ctrl-C twice, without a pause: the second press counts within 1.5 s only. */
export function quit(terminal: Terminal): Promise<Ending> {
  terminal.keys('Ctrl-C', 'Ctrl-C');
  return terminal.waitForExit();
}

/** Reports that the terminal window lost or got the focus. The program reads it before any later event. */
export function reportFocus(terminal: Terminal, hasFocus: boolean): Promise<void> {
  return terminal.held(async () => terminal.write(hasFocus ? '\u001b[I' : '\u001b[O'));
}

/** Waits for the first event that matches and returns it. */
export async function firstEvent(listener: Listener, matches: (event: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const event = (await listener.next()).find(matches);
    if (event !== undefined) return event;
  }
}
