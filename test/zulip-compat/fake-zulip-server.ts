import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {gzipSync} from 'node:zlib';
import {listenOnFreePort} from '#test/api/client.ts';
import {FakeServerData} from './fake-server-data.ts';
import type {Json} from './people.ts';
import {registerResponse, versionFields} from './register.ts';

/** A request as it came. */
export interface ReceivedRequest {
  readonly route: string;
  readonly params: URLSearchParams;
}

export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes out as it is, anything else as JSON. */
  readonly body: unknown;
}

/** In place of the server's own answer: `pass` gives that. */
type ResponseOverride = (
  asked: ReceivedRequest,
  pass: () => Promise<FakeResponse>,
) => Promise<FakeResponse> | FakeResponse;

interface Queue {
  readonly id: string;
  readonly events: Json[];
  lastId: number;
  wake: () => void;
}

export const htmlPage = (status: number, title: string): FakeResponse => ({
  status,
  headers: {'content-type': 'text/html'},
  body: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body><hr><center>nginx/1.18.0</center></body></html>`,
});

export const errorResponse = (status: number, body: Json): FakeResponse => ({
  status,
  body: {result: 'error', ...body},
});

/**
 * A server that was not made for this client: it answers as the public service does, with what the embedded one does not
 * do (ids with gaps, html pages of gateways, older words). It knows one account and only as much as the tests ask for.
 */
export class FakeZulipServer {
  readonly world: FakeServerData;
  /** Everything that was asked, in order. */
  readonly requests: ReceivedRequest[] = [];
  /** Changes a registration's answer. */
  snapshot: (answer: Json) => Json = (answer) => answer;
  /** How answers travel. */
  readonly encodings = {gzip: false, close: false};
  readonly #tricks: {readonly route: string; readonly play: ResponseOverride}[] = [];
  readonly #watchers: (() => void)[] = [];
  #queue: Queue | undefined;
  #queues = 0;
  url = '';

  constructor(level: number) {
    this.world = new FakeServerData(level);
  }

  get level(): number {
    return this.world.level;
  }

  get queueId(): string | undefined {
    return this.#queue?.id;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
    return this;
  }

  /** Plays once, at the next request for this route, such as `POST /messages`. */
  once(route: string, play: ResponseOverride): void {
    this.#tricks.push({route, play});
  }

  /** Into the queue, after a gap of ids. */
  tell(...bodies: readonly Json[]): void {
    const queue = this.#queue;
    if (queue === undefined) throw new Error('Nobody has registered');
    for (const body of bodies) {
      queue.lastId += queue.lastId < 0 ? 1 : 3;
      queue.events.push({...body, id: queue.lastId});
    }
    queue.wake();
  }

  /** Idle for too long, or lost with the server's memory. */
  collectQueue(): void {
    const queue = this.#queue;
    this.#queue = undefined;
    queue?.wake();
  }

  count(route: string): number {
    return this.requests.filter((asked) => asked.route === route).length;
  }

  /** Waits until it was asked for so often. */
  async askedFor(route: string, times = 1): Promise<ReceivedRequest> {
    for (;;) {
      const asked = this.requests.filter((each) => each.route === route)[times - 1];
      if (asked !== undefined) return asked;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const route = `${request.method} ${url.pathname.replace(/^\/api\/v1/, '')}`;
    const body = Buffer.concat(chunks).toString();
    const params = new URLSearchParams(
      /form-urlencoded/.test(request.headers['content-type'] ?? '') ? body : url.search,
    );
    const asked = {route, params};
    this.requests.push(asked);
    for (const watcher of this.#watchers.splice(0)) watcher();
    const at = this.#tricks.findIndex((trick) => trick.route === route);
    const [trick] = at < 0 ? [] : this.#tricks.splice(at, 1);
    const pass = () => this.#answer(asked);
    this.#send(request, response, await (trick === undefined ? pass() : trick.play(asked, pass)));
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    {status = 200, headers = {}, body}: FakeResponse,
  ): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const zip = this.encodings.gzip && /gzip/.test(request.headers['accept-encoding'] ?? '');
    const bytes = zip ? gzipSync(text) : Buffer.from(text);
    // Without a length the body is chunked, as behind a proxy that buffers nothing.
    response.writeHead(status, {
      'content-type': 'application/json',
      vary: 'Accept-Language',
      'x-ratelimit-remaining': '199',
      ...(zip && {'content-encoding': 'gzip'}),
      ...(this.encodings.close && {connection: 'close'}),
      ...headers,
    });
    response.write(bytes.subarray(0, bytes.length / 2));
    response.end(bytes.subarray(bytes.length / 2));
  }

  async #answer(asked: ReceivedRequest): Promise<FakeResponse> {
    const [method = '', path = ''] = asked.route.split(' ');
    const draftId = /^\/drafts\/(\d+)$/.exec(path)?.[1];
    if (draftId !== undefined) return this.#draft(method, Number(draftId), asked.params);
    const routes: Readonly<Record<string, () => Json | Promise<Json> | FakeResponse>> = {
      'GET /server_settings': () => ({...versionFields(this.level), realm_uri: this.url, msg: ''}),
      'POST /register': () => this.#register(),
      'GET /events': () => this.#poll(asked.params),
      'DELETE /events': () => ({}),
      'POST /messages': () => this.#take(asked.params),
      'GET /messages': () => this.world.page(asked.params),
      'POST /messages/flags': () => this.#flag(asked.params),
      'GET /drafts': () => ({count: this.world.drafts.size, drafts: [...this.world.drafts.values()]}),
      'POST /drafts': () => ({
        ids: JSON.parse(asked.params.get('drafts') ?? '[]').map((draft: Json) =>
          this.world.saveDraft(undefined, draft),
        ),
      }),
      'POST /users/me/presence': () => ({presences: {}, server_timestamp: 1_700_000_000.5}),
      'POST /user_uploads': () => ({uri: '/user_uploads/1/aa/tree.png'}),
      'POST /typing': () => ({}),
    };
    const answer = await routes[asked.route]?.();
    if (answer === undefined) return htmlPage(404, 'Not Found');
    return 'body' in answer
      ? (answer as unknown as FakeResponse)
      : {body: {result: 'success', msg: '', ...answer}};
  }

  #register(): Json {
    this.#queue?.wake();
    this.#queues += 1;
    this.#queue = {id: `1517975029:${this.#queues}`, events: [], lastId: -1, wake: () => {}};
    const newest = Math.max(...this.world.messages.keys());
    const own = {queue_id: this.#queue.id, max_message_id: newest, drafts: [...this.world.drafts.values()]};
    return this.snapshot({...registerResponse(this.level), ...own, unread_msgs: this.#unread()});
  }

  #unread(): Json {
    const directs = [...this.world.messages.values()].filter(
      ({flags, type}) => !flags.includes('read') && type === 'private',
    );
    const ids = directs.map(({id}) => id);
    return {
      count: ids.length,
      pms: ids.length === 0 ? [] : [{other_user_id: 11, sender_id: 11, unread_message_ids: ids}],
      huddles: [],
      streams: [],
      mentions: [],
      old_unreads_missing: false,
    };
  }

  async #poll(params: URLSearchParams): Promise<Json> {
    const queue_id = params.get('queue_id');
    const last = Number(params.get('last_event_id'));
    for (;;) {
      const queue = this.#queue;
      if (queue === undefined || queue.id !== queue_id) {
        return {
          ...errorResponse(400, {
            code: 'BAD_EVENT_QUEUE_ID',
            msg: 'Ereigniswarteschlange unbekannt',
            queue_id,
          }),
        };
      }
      const events = queue.events.filter(({id}) => Number(id) > last);
      if (events.length > 0 || params.get('dont_block') === 'true') return {events, queue_id};
      await new Promise<void>((resolve) => {
        queue.wake = resolve;
      });
    }
  }

  /** Whoever sends is told by an event first, then by the answer. Before level 236 one's own message is unread. */
  #take(params: URLSearchParams): Json {
    const body = this.world.sent(params);
    const isRead = this.level >= 236 && params.get('read_by_sender') === 'true';
    const {flags, ...message} = this.world.add(body, isRead ? ['read'] : []);
    const localId = params.get('local_id');
    const isOwnQueue = params.get('queue_id') === this.queueId;
    this.tell({
      type: 'message',
      message,
      flags,
      ...(isOwnQueue && localId !== null && {local_message_id: localId}),
    });
    return {id: message.id, ...(this.level >= 218 && {automatic_new_visibility_policy: 3})};
  }

  #flag(params: URLSearchParams): Json {
    const ids: number[] = JSON.parse(params.get('messages') ?? '[]');
    const [op, flag] = [params.get('op') ?? '', params.get('flag') ?? ''];
    for (const id of ids) {
      const kept = this.world.messages.get(id);
      if (kept === undefined) continue;
      kept.flags = kept.flags.filter((one) => one !== flag);
      if (op === 'add') kept.flags.push(flag);
    }
    this.tell({type: 'update_message_flags', op, operation: op, flag, messages: ids, all: false});
    return {messages: ids};
  }

  #draft(method: string, id: number, params: URLSearchParams): FakeResponse {
    if (!this.world.drafts.has(id))
      return errorResponse(404, {code: 'BAD_REQUEST', msg: 'Draft does not exist'});
    if (method === 'DELETE') this.world.drafts.delete(id);
    else this.world.saveDraft(id, JSON.parse(params.get('draft') ?? '{}'));
    return {body: {result: 'success', msg: ''}};
  }
}

export const credentials = {email: 'meg@example.com', apiKey: 'k'.repeat(32)};
