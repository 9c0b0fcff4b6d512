import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import type {SafetyFixture} from './safety-fixture.ts';
import type {OracleChannel} from './visibility-oracle.ts';

const page = {anchor: 'newest', num_before: 500, num_after: 0, apply_markdown: false};
const word = {operator: 'search', operand: 'lorem'};
const own = ['/users/me', '/drafts', '/scheduled_messages', '/reminders', '/saved_snippets', '/user_groups'];

/** Requests all data that one user can read, by every endpoint, and checks the responses against the oracle. */
export class ReadChecker {
  readonly #fixture: SafetyFixture;
  readonly #viewer: Person;
  readonly #thorough: boolean;
  readonly #all: readonly number[];
  readonly #expectReadable: ReadonlySet<number>;
  readonly #required: ReadonlySet<number>;

  /** `thorough` also checks the endpoints that differ little from others. */
  constructor(fixture: SafetyFixture, viewer: Person, thorough: boolean) {
    const {oracle} = fixture;
    this.#fixture = fixture;
    this.#thorough = thorough;
    this.#viewer = viewer;
    this.#all = [...oracle.now.messages.keys()];
    this.#expectReadable = new Set(this.#all.filter((id) => oracle.reads(oracle.now, viewer.id, id)));
    this.#required = new Set(this.#all.filter((id) => oracle.mustRead(oracle.now, viewer.id, id)));
  }

  async checkEverything(): Promise<void> {
    const {channels, users} = this.#fixture.oracle.now;
    await this.#messages();
    for (const channel of channels.values()) {
      await this.#channel(channel);
      await this.#history(channel);
    }
    for (const id of this.#all) await this.#message(id);
    await this.#lists();
    for (const id of users.keys()) await this.#user(id);
    await this.#files();
  }

  /** Sends a GET request and checks the response for leaks; `known` is text that the response may contain. */
  async #get(path: string, params: Record<string, unknown> = {}, known = ''): Promise<Reply | undefined> {
    const {inspector} = this.#fixture;
    const {status, body} = await this.#fixture.client(this.#viewer).raw('GET', path, params);
    const ownText = `${path} ${JSON.stringify(params)}`;
    this.#expect(status < 500, `${ownText} answers ${status}`);
    inspector.answer(this.#viewer.id, `GET ${ownText}`, body, ownText + known);
    return status === 200 ? body : undefined;
  }

  #expect(holds: boolean, sentence: string): void {
    this.#fixture.inspector.expect(this.#viewer.id, holds, sentence);
  }

  /** Checks that the reply has no unreadable message and all messages that the viewer has a right to read. */
  #expectMessages(what: string, reply: Reply | undefined, among: readonly number[]): void {
    const got = new Set<number>(reply?.messages.map((one: Reply) => one.id));
    const extra = [...got].filter((id) => !among.includes(id) || !this.#expectReadable.has(id));
    const missing = among.filter((id) => this.#required.has(id) && !got.has(id));
    this.#expect(extra.length === 0, `${what} gives ${extra}`);
    this.#expect(missing.length === 0, `${what} withholds ${missing}`);
  }

  async #messages(): Promise<void> {
    const narrows: Reply[][] = [
      [],
      [word],
      [{operator: 'channels', operand: 'public'}, word],
      [{operator: 'channels', operand: 'public'}],
    ];
    if (this.#thorough) {
      for (const operand of ['starred', 'unread', 'dm', 'followed', 'mentioned', 'resolved']) {
        narrows.push([{operator: 'is', operand}], [{operator: 'is', operand, negated: true}]);
      }
      narrows.push([{operator: 'has', operand: 'attachment'}], [{operator: 'in', operand: 'home'}]);
      for (const {id} of this.#fixture.people) {
        for (const operator of ['dm', 'dm-including', 'sender', 'mentions']) {
          narrows.push([{operator, operand: operator === 'dm' ? [id] : id}]);
        }
      }
      for (const operand of this.#all.slice(-6)) {
        narrows.push([{operator: 'with', operand}], [{operator: 'id', operand}]);
      }
    }
    for (const narrow of narrows) await this.#get('/messages', {...page, narrow});
    this.#expectMessages('message_ids', await this.#get('/messages', {message_ids: this.#all}), this.#all);
    const matches = await this.#get('/messages/matches_narrow', {msg_ids: this.#all, narrow: [word]});
    for (const id of Object.keys(matches?.messages ?? {})) {
      this.#expect(this.#expectReadable.has(Number(id)), `matches_narrow gives ${id}`);
    }
  }

  async #channel({id, name, isArchived}: OracleChannel): Promise<void> {
    const {oracle} = this.#fixture;
    const sees = oracle.seesChannel(oracle.now, this.#viewer.id, id);
    const paths = [`/streams/${id}`, `/streams/${id}/members`];
    for (const path of paths) this.#expect(((await this.#get(path)) !== undefined) === sees, path);
    const found = await this.#get('/get_stream_id', {stream: name});
    // As on Zulip's servers, nobody finds archived channels by name, nor administrators private channels of others.
    const finds = !isArchived && oracle.readsChannel(oracle.now, this.#viewer.id, id);
    this.#expect((found !== undefined) === finds, `the id of ${name}`);
    if (!this.#thorough) return;
    const address = await this.#get(`/streams/${id}/email_address`);
    this.#expect(sees || address === undefined, `the address of ${name}`);
    for (const {id: person} of this.#fixture.people) {
      const status = await this.#get(`/users/${person}/subscriptions/${id}`);
      this.#expect(sees || status === undefined, `who is in ${name}`);
    }
  }

  async #history({id, name}: OracleChannel): Promise<void> {
    const {oracle} = this.#fixture;
    const {messages} = oracle.now;
    const here = this.#all.filter((one) => messages.get(one)?.channel === id);
    const narrow = [{operator: 'channel', operand: id}];
    this.#expectMessages(name, await this.#get('/messages', {...page, narrow}), here);
    const topics = await this.#get(`/users/me/${id}/topics`, {allow_empty_topic_name: true});
    const reads = oracle.readsChannel(oracle.now, this.#viewer.id, id);
    this.#expect((topics !== undefined) === reads, `topics of ${name}`);
    const newest: number[] = topics?.topics.map((topic: Reply) => topic.max_id) ?? [];
    for (const one of newest) this.#expect(this.#expectReadable.has(one), `topics of ${name} give message ${one}`);
    const names = new Set(topics?.topics.map((topic: Reply) => topic.name.toLowerCase()));
    for (const one of here.filter((due) => this.#required.has(due))) {
      const topic = messages.get(one)?.topic.toLowerCase();
      this.#expect(names.has(topic), `topics of ${name} withhold ${topic}`);
    }
    if (!this.#thorough) return;
    this.#expectMessages(
      name,
      await this.#get('/messages', {...page, narrow: [...narrow, word]}),
      here.filter((one) => messages.get(one)?.content.includes('lorem')),
    );
    for (const topic of new Set(here.map((one) => messages.get(one)?.topic ?? ''))) {
      const inTopic = here.filter((one) => messages.get(one)?.topic.toLowerCase() === topic.toLowerCase());
      const terms = [...narrow, {operator: 'topic', operand: topic}];
      this.#expectMessages(`${name} > ${topic}`, await this.#get('/messages', {...page, narrow: terms}), inTopic);
    }
  }

  async #message(id: number): Promise<void> {
    const reads = this.#expectReadable.has(id);
    if (reads && !this.#thorough) return;
    const {messages, systemBots} = this.#fixture.oracle.now;
    const message = messages.get(id);
    // A user who moves messages may post a notice with their origin, which all readers of the topic may see.
    const notice = reads && message !== undefined && systemBots.has(message.sender) ? message.content : '';
    for (const rest of ['', '/history', '/read_receipts']) {
      const given = (await this.#get(`/messages/${id}${rest}`, {}, notice)) !== undefined;
      this.#expect(given ? reads : !this.#required.has(id), `/messages/${id}${rest}: ${given}`);
    }
  }

  async #lists(): Promise<void> {
    const paths = ['/streams', '/users', '/attachments', ...(this.#thorough ? own : [])];
    for (const path of paths) await this.#get(path);
    const {oracle} = this.#fixture;
    const {role = 600, isBot = false} = oracle.now.users.get(this.#viewer.id) ?? {};
    for (const path of ['/export/realm', '/export/realm/consents']) {
      this.#expect(((await this.#get(path)) !== undefined) === role <= 200, path);
    }
    this.#expect(((await this.#get('/bot_storage')) !== undefined) === isBot, '/bot_storage');
    await this.#get('/users/me/subscriptions', {include_subscribers: 'true'});
    await this.#get('/streams', {include_all: true, exclude_archived: false, include_web_public: true});
  }

  async #user(id: number): Promise<void> {
    const {oracle} = this.#fixture;
    const {now} = oracle;
    const email = now.users.get(id)?.email ?? '';
    const byEmail = await this.#get(`/users/${encodeURIComponent(email)}`);
    // As on Zulip's servers, system bots are only in the registration.
    const knows = oracle.knowsUser(now, this.#viewer.id, id) && !now.systemBots.has(id);
    const may = knows && oracle.seesEmail(now, this.#viewer.id, id);
    this.#expect((byEmail !== undefined) === may, `finds ${email}: ${!may}`);
    if (!this.#thorough) return;
    this.#expect(((await this.#get(`/users/${id}`)) !== undefined) === knows, `/users/${id}`);
    const channels = await this.#get(`/users/${id}/channels`);
    for (const channel of channels?.subscribed_channel_ids ?? []) {
      this.#expect(oracle.seesChannel(now, this.#viewer.id, channel), `${id} is in channel ${channel}`);
    }
  }

  async #files(): Promise<void> {
    for (const file of this.#fixture.files) {
      const response = await this.#fixture.client(this.#viewer).web(file.url);
      await response.arrayBuffer();
      const may = this.#fixture.mayOpen(this.#viewer.id, file);
      this.#expect((response.status === 200) === may, `${file.url} answers ${response.status}`);
      const link = await this.#get(file.url);
      this.#expect((link !== undefined) === may, `a temporary link to ${file.url}: ${!may}`);
    }
  }
}

/** Checks a registration against the oracle. */
export function inspectRegistration({oracle, inspector}: SafetyFixture, viewer: Person, state: Reply): void {
  const {now} = oracle;
  inspector.answer(viewer.id, 'register', state);
  const listed: number[] = ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((key) =>
    state[key].map((channel: Reply) => channel.stream_id),
  );
  const seen = [...now.channels.keys()].filter((id) => oracle.seesChannel(now, viewer.id, id));
  const [a, b] = [listed, seen].map((ids) => [...ids].sort((x, y) => x - y).join());
  inspector.expect(viewer.id, a === b, `register lists channels ${a}, should be ${b}`);
  const unread = state.unread_msgs;
  const counted: number[] = [
    ...unread.mentions,
    ...[...unread.pms, ...unread.huddles, ...unread.streams].flatMap((one: Reply) => one.unread_message_ids),
  ];
  for (const id of counted) {
    inspector.expect(viewer.id, oracle.reads(now, viewer.id, id), `register counts message ${id}`);
  }
  for (const {user_id} of [...state.realm_users, ...state.realm_non_active_users]) {
    inspector.expect(viewer.id, oracle.knowsUser(now, viewer.id, user_id), `register lists user ${user_id}`);
  }
}
