import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {gzipSync} from 'node:zlib';
import {listenOnFreePort} from '#test/api/client.ts';
import {FakeServerData} from './fake-server-data.ts';
import type {Json} from './people.ts';
import {registerResponse, versionFields} from './register.ts';

/** A request that the fake server received. */
interface ReceivedRequest {
  readonly route: string;
  readonly params: URLSearchParams;
}

export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, other values as JSON. */
  readonly body: unknown;
}

/** Returns a response instead of the server's own, which `respond` returns. */
type ResponseOverride = (
  request: ReceivedRequest,
  respond: () => Promise<FakeResponse>,
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
 * A fake of a Zulip server. It responds as Zulip does where the embedded server differs (ids with gaps, HTML pages of
 * gateways, legacy names). It has one account and only the routes that the tests need.
 */
export class FakeZulipServer {
  readonly data: FakeServerData;
  /** All requests, in order. */
  readonly requests: ReceivedRequest[] = [];
  /** Changes the response to a registration. */
  snapshot: (response: Json) => Json = (response) => response;
  /** The transfer options of responses. */
  readonly encodings = {gzip: false, close: false};
  readonly #overrides: {readonly route: string; readonly respond: ResponseOverride}[] = [];
  readonly #watchers: (() => void)[] = [];
  #queue: Queue | undefined;
  #queues = 0;
  url = '';

  constructor(level: number) {
    this.data = new FakeServerData(level);
  }

  get level(): number {
    return this.data.level;
  }

  get queueId(): string | undefined {
    return this.#queue?.id;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
    return this;
  }

  /** Overrides the response to the next request for a route such as `POST /messages`. */
  once(route: string, respond: ResponseOverride): void {
    this.#overrides.push({route, respond});
  }

  /** Adds events to the queue, with gaps between their ids. */
  pushEvents(...bodies: readonly Json[]): void {
    const queue = this.#queue;
    if (queue === undefined) throw new Error('No client has registered');
    for (const body of bodies) {
      queue.lastId += queue.lastId < 0 ? 1 : 3;
      queue.events.push({...body, id: queue.lastId});
    }
    queue.wake();
  }

  /** Deletes the queue, as servers do when it is idle or they restart. */
  collectQueue(): void {
    const queue = this.#queue;
    this.#queue = undefined;
    queue?.wake();
  }

  count(route: string): number {
    return this.requests.filter((request) => request.route === route).length;
  }

  /** Waits until a route was requested `times` times and returns that request. */
  async waitForRequest(route: string, times = 1): Promise<ReceivedRequest> {
    for (;;) {
      const request = this.requests.filter(({route: other}) => other === route)[times - 1];
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const route = `${incoming.method} ${url.pathname.replace(/^\/api\/v1/, '')}`;
    const body = Buffer.concat(chunks).toString();
    const params = new URLSearchParams(
      /form-urlencoded/.test(incoming.headers['content-type'] ?? '') ? body : url.search,
    );
    const request = {route, params};
    this.requests.push(request);
    for (const watcher of this.#watchers.splice(0)) watcher();
    const index = this.#overrides.findIndex((override) => override.route === route);
    const [override] = index < 0 ? [] : this.#overrides.splice(index, 1);
    const respond = () => this.#respond(request);
    const reply = await (override === undefined ? respond() : override.respond(request, respond));
    this.#send(incoming, response, reply);
  }

  #send(request: IncomingMessage, response: ServerResponse, {status = 200, headers = {}, body}: FakeResponse): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const zip = this.encodings.gzip && /gzip/.test(request.headers['accept-encoding'] ?? '');
    const bytes = zip ? gzipSync(text) : Buffer.from(text);
    // Without a length the body is chunked, as behind a proxy without buffering.
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

  async #respond(request: ReceivedRequest): Promise<FakeResponse> {
    const [method = '', path = ''] = request.route.split(' ');
    const draftId = /^\/drafts\/(\d+)$/.exec(path)?.[1];
    if (draftId !== undefined) return this.#draft(method, Number(draftId), request.params);
    const routes: Readonly<Record<string, () => Json | Promise<Json> | FakeResponse>> = {
      'GET /server_settings': () => ({...versionFields(this.level), realm_uri: this.url, msg: ''}),
      'POST /register': () => this.#register(),
      'GET /events': () => this.#poll(request.params),
      'DELETE /events': () => ({}),
      'POST /messages': () => this.#receiveMessage(request.params),
      'GET /messages': () => this.data.page(request.params),
      'POST /messages/flags': () => this.#flag(request.params),
      'GET /drafts': () => ({count: this.data.drafts.size, drafts: [...this.data.drafts.values()]}),
      'POST /drafts': () => ({
        ids: JSON.parse(request.params.get('drafts') ?? '[]').map((draft: Json) =>
          this.data.saveDraft(undefined, draft),
        ),
      }),
      'POST /users/me/presence': () => ({presences: {}, server_timestamp: 1_700_000_000.5}),
      'POST /user_uploads': () => ({uri: '/user_uploads/1/aa/tree.png'}),
      'POST /typing': () => ({}),
    };
    const result = await routes[request.route]?.();
    if (result === undefined) return htmlPage(404, 'Not Found');
    return 'body' in result ? (result as unknown as FakeResponse) : {body: {result: 'success', msg: '', ...result}};
  }

  #register(): Json {
    this.#queue?.wake();
    this.#queues += 1;
    this.#queue = {id: `1517975029:${this.#queues}`, events: [], lastId: -1, wake: () => {}};
    const newest = Math.max(...this.data.messages.keys());
    const own = {queue_id: this.#queue.id, max_message_id: newest, drafts: [...this.data.drafts.values()]};
    return this.snapshot({...registerResponse(this.level), ...own, unread_msgs: this.#unread()});
  }

  #unread(): Json {
    const directs = [...this.data.messages.values()].filter(
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

  /**
   * Stores a message; the sender gets the event before the response. Before level 236 the sender's own message is
   * unread.
   */
  #receiveMessage(params: URLSearchParams): Json {
    const body = this.data.sent(params);
    const isRead = this.level >= 236 && params.get('read_by_sender') === 'true';
    const {flags, ...message} = this.data.add(body, isRead ? ['read'] : []);
    const localId = params.get('local_id');
    const isOwnQueue = params.get('queue_id') === this.queueId;
    this.pushEvents({
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
      const message = this.data.messages.get(id);
      if (message === undefined) continue;
      message.flags = message.flags.filter((one) => one !== flag);
      if (op === 'add') message.flags.push(flag);
    }
    this.pushEvents({type: 'update_message_flags', op, operation: op, flag, messages: ids, all: false});
    return {messages: ids};
  }

  #draft(method: string, id: number, params: URLSearchParams): FakeResponse {
    if (!this.data.drafts.has(id)) return errorResponse(404, {code: 'BAD_REQUEST', msg: 'Draft does not exist'});
    if (method === 'DELETE') this.data.drafts.delete(id);
    else this.data.saveDraft(id, JSON.parse(params.get('draft') ?? '{}'));
    return {body: {result: 'success', msg: ''}};
  }
}

export const credentials = {email: 'meg@example.com', apiKey: 'k'.repeat(32)};
