import {type RunningServer, startServer} from '#server/server.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {ApiClient, type RawReply, type Reply} from '#test/support/api-client.ts';
import {differences} from '#test/support/differences.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {People, type Person} from '#test/support/people.ts';
import {testPasswordCost} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import {comparableRegistration} from './comparable-registration.ts';
import {LeakInspector} from './leak-inspector.ts';
import {inspectRegistration} from './read-checker.ts';
import {RealClient} from './real-client.ts';
import {applyEvent, personalSubscriptionKeys} from './reference-client.ts';
import {tokensIn, VisibilityOracle} from './visibility-oracle.ts';

interface Watch {
  readonly person: Person;
  readonly queueId: string;
  lastEventId: number;
  /** The state of the reference client; each queue has at most one of both. */
  readonly state?: Reply;
  readonly client?: RealClient;
}

export interface SafetyOptions {
  /** True: only Parley's clients are watched, and they poll only before their state is compared. */
  readonly clientsOnly?: boolean;
  /** Replaces arguments of the clients' registrations. */
  readonly registerArgs?: Record<string, unknown>;
}

interface UploadedFile {
  readonly owner: number;
  readonly url: string;
}

/** A small organization whose users all have event queues, and an inspector of all data that they receive. */
export class SafetyFixture {
  readonly server: RunningServer;
  readonly clock: ManualClock;
  readonly people: readonly Person[];
  readonly oracle: VisibilityOracle;
  readonly inspector: LeakInspector;
  readonly files: UploadedFile[] = [];
  /** The number of requests of `act` that succeeded. */
  accepted = 0;
  /** The messages that share each file, by URL: those whose sender could read the file. */
  readonly #shared = new Map<string, Set<number>>();
  #watches: Watch[] = [];
  #serial = 0;
  #lostDirect = false;
  /** What happens while the next registration is made. */
  #duringRegistration: () => Promise<unknown> = async () => {};
  readonly #options: SafetyOptions;

  private constructor(server: RunningServer, clock: ManualClock, people: readonly Person[], options: SafetyOptions) {
    this.server = server;
    this.clock = clock;
    this.people = people;
    this.#options = options;
    this.oracle = new VisibilityOracle(server.context);
    this.inspector = new LeakInspector(this.oracle);
  }

  static async open(options: SafetyOptions = {}): Promise<SafetyFixture> {
    const clock = new ManualClock();
    const server = await startServer({
      clock,
      passwordCost: testPasswordCost,
      rateLimited: false,
      log: (line, error) => console.error(line, error),
      duringRegistration: () => fixture.#takeDuringRegistration(),
    });
    const make = new People(server.context);
    const users = [100, 200, 300, 400, 400, 600].map((role, index) =>
      make.add(`Person xnam${index}x`, {role, email: `xema${index}x@example.com`}),
    );
    const [owner, , , meg, nat, guest] = users as [Person, Person, Person, Person, Person, Person];
    const bot = make.add('Bot', {role: 400, botOwner: meg.id, email: 'helper-bot@example.com'});
    const outsider = make.add('Person xnam7x', {email: 'xema7x@example.com'});
    make.channel('xcha0x', [owner, meg, guest]);
    make.channel('xcha1x', [meg, nat, bot], {invite_only: 1});
    make.channel('xcha2x', [meg, nat, guest], {invite_only: 1, history_public_to_subscribers: 0});
    make.channel('xcha3x', [owner, nat], {is_web_public: 1});
    make.channel('xcha4x', [meg, guest], {invite_only: 1, is_archived: 1});
    const fixture: SafetyFixture = new SafetyFixture(server, clock, [...users, bot, outsider], options);
    const say = (person: Person, to: number | number[]) =>
      fixture.client(person).post('/messages', {
        type: typeof to === 'number' ? 'stream' : 'direct',
        to,
        topic: fixture.newToken('top'),
        content: `lorem ${fixture.newToken('con')}`,
      });
    for (const channel of [1, 2, 3]) await say(meg, channel);
    for (const channel of [2, 3, 4]) await say(nat, channel);
    await say(meg, [guest.id]);
    fixture.oracle.observe();
    for (const person of fixture.people) await fixture.#watch(person);
    return fixture;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  client(person: Person): ApiClient {
    return new ApiClient(this.server.url, person, {isChecked: true});
  }

  newToken(kind: 'con' | 'top' | 'cha' | 'nam' | 'pri'): string {
    return `x${kind}${100 + this.#serial++}x`;
  }

  /** Sends one request, then polls and inspects the events of all users. */
  async act(actor: Person, method: string, path: string, params: Record<string, unknown> = {}): Promise<RawReply> {
    const reply = await this.client(actor).raw(method, path, params);
    await this.deliverEvents();
    if (reply.status < 400) this.accepted++;
    const what = `${method} ${path} ${JSON.stringify(params)}`;
    this.inspector.expect(actor.id, reply.status < 500, `${what} answers ${reply.status}`);
    this.inspector.answer(actor.id, what, reply.body, what);
    return reply;
  }

  async deliverEvents(): Promise<void> {
    const before = this.oracle.now;
    this.oracle.observe();
    for (const message of before.messages.values()) {
      if (message.dm !== null && !this.oracle.now.messages.has(message.id)) this.#lostDirect = true;
    }
    this.#recordShared();
    if (this.#options.clientsOnly !== true) await this.#pollAll();
    const {now} = this.oracle;
    this.#watches = this.#watches.filter(({person}) => now.users.get(person.id)?.isActive);
    for (const person of this.people) {
      const was = before.users.get(person.id)?.isActive;
      if (!was && now.users.get(person.id)?.isActive) await this.#watch(person);
    }
  }

  async #pollAll(): Promise<void> {
    await Promise.all(this.#watches.map((watch) => this.#poll(watch)));
  }

  mayOpen(userId: number, file: UploadedFile): boolean {
    if (file.owner === userId) return true;
    const {oracle} = this;
    return [...(this.#shared.get(file.url) ?? [])].some(
      (id) => oracle.now.messages.get(id)?.content.includes(file.url) && oracle.reads(oracle.now, userId, id),
    );
  }

  #recordShared(): void {
    const {now, before} = this.oracle;
    for (const file of this.files) {
      const shared = this.#shared.get(file.url) ?? new Set();
      this.#shared.set(file.url, shared);
      const fresh = [...now.messages.values()].filter(
        (message) =>
          message.content.includes(file.url) &&
          before.messages.get(message.id)?.content !== message.content &&
          this.mayOpen(message.sender, file),
      );
      for (const message of fresh) shared.add(message.id);
      for (const id of shared) if (!now.messages.get(id)?.content.includes(file.url)) shared.delete(id);
    }
  }

  /** Deletes the queue of the user's client, which registers again while `during` happens. */
  async loseQueue(person: Person, during: () => Promise<unknown>): Promise<void> {
    const lost = this.#watches.find((watch) => watch.person === person && watch.client !== undefined);
    if (lost === undefined) {
      await during();
      return;
    }
    this.#watches = this.#watches.filter((watch) => watch !== lost);
    await this.client(person).delete('/events', {queue_id: lost.queueId});
    this.#duringRegistration = during;
    await this.#watchClient(person);
    await this.deliverEvents();
  }

  async #takeDuringRegistration(): Promise<void> {
    const during = this.#duringRegistration;
    this.#duringRegistration = async () => {};
    await during();
  }

  /** Returns the differences between the state of each user's (or one user's) client and a new registration. */
  async clientDifferences(only?: Person): Promise<string[]> {
    const found: string[] = [];
    await this.#pollAll();
    const unannounced = {
      directs: this.#lostDirect,
      hasWildcardMention: (id: number) => this.#hasWildcardMention(id),
    };
    for (const {person, client} of this.#watches) {
      if (client === undefined || (only !== undefined && person !== only)) continue;
      const fresh = await this.client(person).post('/register', {...registerArgs(this.server.context.level)});
      await this.client(person).delete('/events', {queue_id: fresh.queue_id});
      found.push(...client.differences(fresh, unannounced).map((line) => `${person.fullName}: ${line}`));
    }
    return found;
  }

  /** Returns the differences between each user's state, built from events, and a new registration. */
  async stateDifferences(): Promise<string[]> {
    const found = await this.clientDifferences();
    for (const {person, state} of this.#watches) {
      if (state === undefined) continue;
      const fresh = await this.#register(person, fullClientCapabilities);
      inspectRegistration(this, person, fresh);
      const [a, b] = [comparableRegistration(state), comparableRegistration(fresh)];
      for (const one of [a, b]) this.#removeFieldsWithoutEvents(one);
      // The event of a deleted direct message does not name its conversation.
      if (this.#lostDirect) for (const one of [a, b]) delete one.recent_private_conversations;
      const lines = differences(sorted(a), sorted(b))
        // No event tells that a channel without messages got its first.
        .filter((line) => !line.includes('.first_message_id: null, expected'));
      found.push(...lines.map((line) => `${person.fullName}, by events: ${line}`));
    }
    return found;
  }

  #removeFieldsWithoutEvents(state: Reply): void {
    // Rendered on each request: links depend on the current names of channels.
    for (const one of [...state.reminders, ...state.scheduled_messages]) delete one.rendered_content;
    // A user who lost access to a channel and regained it is not sent the former subscription.
    state.never_subscribed = [...state.never_subscribed, ...state.unsubscribed]
      .map((channel: Reply) =>
        Object.fromEntries(Object.entries(channel).filter(([key]) => !personalSubscriptionKeys.includes(key))),
      )
      .sort((one, other) => Number(one.stream_id) - Number(other.stream_id));
    delete state.unsubscribed;
    // Clients poll for presence, so events need not be complete.
    delete state.presences;
    // Clients compute from their muted topics whether a wildcard mention counts.
    state.unread_msgs.mentions = state.unread_msgs.mentions.filter((id: number) => !this.#hasWildcardMention(id));
  }

  #hasWildcardMention(messageId: number): boolean {
    return /@\*\*(all|topic)/.test(this.oracle.now.messages.get(messageId)?.content ?? '');
  }

  async #watch(person: Person): Promise<void> {
    if (this.#options.clientsOnly === true) {
      await this.#watchClient(person);
      return;
    }
    const state = await this.#register(person, fullClientCapabilities);
    inspectRegistration(this, person, state);
    this.#watches.push({person, queueId: state.queue_id, lastEventId: state.last_event_id, state});
    await this.#watchClient(person);
    // Older clients get different events; half of the users have one too.
    if (person.id % 2 === 0) return;
    const plain = await this.#register(person, {notification_settings_null: false});
    this.inspector.answer(person.id, 'plain register', plain);
    this.#watches.push({person, queueId: plain.queue_id, lastEventId: plain.last_event_id});
  }

  async #watchClient(person: Person): Promise<void> {
    const args = {...registerArgs(this.server.context.level), ...this.#options.registerArgs};
    const {status, body: state} = await this.client(person).raw('POST', '/register', args);
    // The user may be deactivated meanwhile.
    if (status === 401) return;
    const client = new RealClient(state);
    this.#watches = this.#watches.filter((watch) => watch.person !== person || watch.client === undefined);
    this.#watches.push({person, queueId: state.queue_id, lastEventId: state.last_event_id, client});
  }

  async #register(person: Person, capabilities: object): Promise<Reply> {
    const isModern = capabilities === fullClientCapabilities;
    return this.client(person).post('/register', {
      client_capabilities: capabilities,
      include_subscribers: isModern ? 'true' : 'partial',
      slim_presence: isModern,
      apply_markdown: !isModern,
      idle_queue_timeout: 604_800,
      all_public_streams: !isModern && this.oracle.now.users.get(person.id)?.role !== 600,
    });
  }

  async #poll(watch: Watch): Promise<void> {
    const {person, queueId, state, client} = watch;
    const params = {queue_id: queueId, last_event_id: watch.lastEventId, dont_block: true};
    const {status, body} = await this.client(person).raw('GET', '/events', params);
    const isActive = this.oracle.now.users.get(person.id)?.isActive === true;
    if (status !== 200 && isActive && client !== undefined) {
      // The user was deactivated and reactivated: the client registers again.
      await this.#watchClient(person);
      return;
    }
    if (status !== 200) {
      this.inspector.expect(person.id, !isActive, `lost the queue: ${JSON.stringify(body)}`);
      return;
    }
    this.inspector.expect(person.id, isActive, 'polls although deactivated');
    for (const event of body.events) {
      this.inspector.event(person.id, event);
      if (state !== undefined) applyEvent(state, event);
      client?.applyEvent(event);
      watch.lastEventId = event.id;
    }
    if (state === undefined) return;
    this.inspector.disappearance(person.id, body.events);
    this.inspector.changes(person.id, body.events);
  }

  /** Allows the user to see the tokens of a text that they wrote. */
  remember(person: Person, text: string): void {
    if (tokensIn(text).length > 0) this.oracle.grant(person.id, text);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
