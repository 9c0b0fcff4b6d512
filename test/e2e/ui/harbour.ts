import type {Listener, Params, Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {type OpenParleyOptions, openParley} from '#test/support/terminal/parley.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';

/** A wide terminal, the usual one, and the smallest that people live with. */
export const sizes: readonly Size[] = [
  {cols: 200, rows: 50},
  {cols: 80, rows: 24},
  {cols: 40, rows: 15},
];

export const tides = '#harbour>tides';

/** A server with two people who have talked about tides and ropes, and the way to sit down at it. */
export interface Harbour {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  /** In `#harbour`; gives the id of the message. */
  say(person: Person, topic: string, content: string): Promise<number>;
  tell(from: Person, to: Person, content: string): Promise<number>;
  /** What is in a topic of `#harbour`, first to last, as the server has it. */
  said(topic: string): Promise<readonly string[]>;
  message(id: number): Promise<Reply>;
  /** The ids that are unread for a person, in order. */
  unread(person: Person): Promise<readonly number[]>;
  /** The program of a person. */
  open(person: Person, options?: OpenParleyOptions): Terminal;
}

export async function harbour(): Promise<Harbour> {
  const server = await testServer({testHooks: true});
  const settings = {enter_sends: true};
  const meg = server.people.add('Meg Member', {settings});
  const otto = server.people.add('Otto Other', {settings});
  server.people.channel('harbour', [meg, otto]);
  server.people.channel('engines', [meg, otto]);
  const post = async (person: Person, params: Params) =>
    (await server.as(person).post('/messages', {read_by_sender: true, ...params})).id;
  const stage: Harbour = {
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
    async unread(person) {
      const narrow = [{operator: 'is', operand: 'unread'}];
      const params = {narrow, anchor: 'oldest', num_before: 0, num_after: 1000};
      const {messages} = await server.as(person).get('/messages', params);
      return messages.map(({id}: {id: number}) => id);
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

/** The conversation about tides is open, its last message is shown, and the program is connected. */
export async function openTides(
  {open, meg}: Harbour,
  size: Size,
  options: OpenParleyOptions = {},
): Promise<Terminal> {
  const terminal = open(meg, {size, args: [tides], ...options});
  await terminal.waitFor('see you at the quay');
  return terminal;
}

/** The composer has the keys. */
export async function startWriting(terminal: Terminal): Promise<void> {
  terminal.keys('r');
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
}

/** The first event of those that somebody hears that is meant. */
export async function heard(listener: Listener, isMeant: (event: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const found = (await listener.next()).find(isMeant);
    if (found !== undefined) return found;
  }
}
