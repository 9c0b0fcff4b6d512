import type {ApiClient, Listener, Params, Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {type OpenParleyOptions, openParley} from '#test/support/terminal/parley.ts';
import type {Ending, Size, Terminal} from '#test/support/terminal/terminal.ts';

export const usualSize: Size = {cols: 80, rows: 24};
/** The smallest that people live with. */
export const smallSize: Size = {cols: 40, rows: 15};
/** For stories whose course the size could change; for others one will do, because every terminal costs a second. */
export const sizes: readonly Size[] = [{cols: 200, rows: 50}, usualSize, smallSize];

export const tides = '#harbour>tides';

/** A server with two people who have talked about tides and ropes, and the way to sit down at it. */
export interface TwoUserFixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  /** In `#harbour`; gives the id of the message. */
  say(person: Person, topic: string, content: string): Promise<number>;
  tell(from: Person, to: Person, content: string): Promise<number>;
  /** What is in a topic of `#harbour`, first to last, as the server has it. */
  said(topic: string): Promise<readonly string[]>;
  message(id: number): Promise<Reply>;
  /** The ids that are unread for a person, in order, as the server tells whoever signs in. */
  unread(person: Person): Promise<readonly number[]>;
  /** Misbehaviour on request; see test/README.md. */
  hook(name: string, body?: Params): Promise<void>;
  /** The program of a person. */
  open(person: Person, options?: OpenParleyOptions): Terminal;
}

export async function twoUserFixture(): Promise<TwoUserFixture> {
  const server = await testServer({testHooks: true});
  const settings = {enter_sends: true};
  const meg = server.people.add('Meg Member', {settings});
  const otto = server.people.add('Otto Other', {settings});
  server.people.channel('harbour', [meg, otto]);
  server.people.channel('engines', [meg, otto]);
  const post = async (person: Person, params: Params) =>
    (await server.as(person).post('/messages', {read_by_sender: true, ...params})).id;
  const stage: TwoUserFixture = {
    server,
    meg,
    otto,
    say: (person, topic, content) => post(person, {type: 'stream', to: 'harbour', topic, content}),
    tell: (from, to, content) => post(from, {type: 'direct', to: [to.id], content}),
    async said(topic) {
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
  await stage.say(otto, 'tides', 'The spring tide is at four.');
  await stage.say(meg, 'tides', 'Then we leave at three.');
  await stage.say(otto, 'tides', 'Agreed, see you at the quay.');
  await stage.say(otto, 'ropes', 'The blue rope is worn.');
  await stage.tell(otto, meg, 'Are you coming along?');
  return stage;
}

/** What a person has made of the messages there are. */
export interface ReadState {
  readonly unread: readonly number[];
  readonly starred: readonly number[];
  /** `<channel id> <topic>` → what its visibility is set to, where it is set at all. */
  readonly policies: Readonly<Record<string, number>>;
}

const standingTypes = ['message', 'update_message_flags', 'starred_messages', 'user_topic'];

/** As the server tells it to whoever registers; the queue is not needed. */
export async function readState(client: ApiClient): Promise<ReadState> {
  const state = await client.post('/register', {fetch_event_types: standingTypes, event_types: []});
  await client.delete('/events', {queue_id: state.queue_id});
  const {pms, huddles, streams} = state.unread_msgs;
  const unread = [...pms, ...huddles, ...streams].flatMap(({unread_message_ids: ids}: Reply) => ids);
  const policies = state.user_topics
    .filter(({visibility_policy: policy}: Reply) => policy !== 0)
    .map(({stream_id: id, topic_name: topic, visibility_policy: policy}: Reply) => [
      `${id} ${topic}`,
      policy,
    ]);
  return {
    unread: unread.sort((a, b) => a - b),
    starred: state.starred_messages.toSorted((a: number, b: number) => a - b),
    policies: Object.fromEntries(policies.toSorted()),
  };
}

/** The conversation about tides is open, its last message is shown, and the program is connected. */
export async function openTides(
  {open, meg}: TwoUserFixture,
  size: Size,
  options: OpenParleyOptions = {},
): Promise<Terminal> {
  const terminal = open(meg, {size, args: [tides], ...options});
  await terminal.waitFor('see you at the quay');
  return terminal;
}

/** The inbox has all that Meg has not read: what Otto told her, and the topics about ropes and tides. */
export async function allUnread(terminal: Terminal): Promise<void> {
  const names = ['Otto Other', 'ropes', 'tides'];
  await terminal.waitFor(({text}) => names.every((name) => text.includes(name)), 'all three');
}

/** The composer has the keys. */
export async function startWriting(terminal: Terminal): Promise<void> {
  terminal.keys('r');
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
}

/** Leaves as people do. The second press counts for a second and a half only, so nothing is waited for between the two. */
export function quit(terminal: Terminal): Promise<Ending> {
  terminal.keys('Ctrl-C', 'Ctrl-C');
  return terminal.waitForExit();
}

/** The terminal says that nobody looks any more, or again; it is there before anything that happens from now on. */
export function tellFocus(terminal: Terminal, isIn: boolean): Promise<void> {
  return terminal.held(async () => terminal.write(isIn ? '\u001b[I' : '\u001b[O'));
}

/** The first event of those that somebody hears that is meant. */
export async function firstEvent(listener: Listener, isMeant: (event: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const found = (await listener.next()).find(isMeant);
    if (found !== undefined) return found;
  }
}
