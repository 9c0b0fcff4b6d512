import {request} from 'undici';
import {expect} from 'vitest';
import {fullClientCapabilities} from '#wire/register.ts';
import type {Person} from './people.ts';

export type Params = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they are about
export type Reply = Record<string, any>;

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Reply;
}

/** Speaks the API as any client would: form bodies, Basic credentials, nothing of ours in between. */
export class ApiClient {
  readonly #url: string;
  readonly #person: Person | undefined;

  constructor(url: string, person: Person | undefined) {
    this.#url = url;
    this.#person = person;
  }

  async raw(
    method: string,
    path: string,
    params: Params = {},
    headers: Record<string, string> = {},
  ): Promise<RawReply> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const inQuery = method === 'GET';
    const url = `${this.#url}/api/v1${path}${inQuery && form.size > 0 ? `?${form}` : ''}`;
    // Not `fetch`: there are tens of thousands of these, and a third of what one costs would be its streams and objects.
    const response = await request(url, {
      method,
      headers: {
        ...this.#authorization(),
        'user-agent': 'ParleyTest/1.0',
        ...(inQuery ? {} : {'content-type': formType}),
        ...headers,
      },
      ...(inQuery ? {} : {body: `${form}`}),
    });
    const text = await response.body.text();
    const body: Reply = text.startsWith('{') ? JSON.parse(text) : {html: text};
    return {
      status: response.statusCode,
      get headers() {
        return headersOf(response.headers);
      },
      body,
    };
  }

  /** The body of a success; anything else fails the test with what the server said. */
  async call(method: string, path: string, params: Params = {}): Promise<Reply> {
    const {body} = await this.raw(method, path, params);
    const isSuccess = body.result === 'success' && body.msg === '';
    if (!isSuccess) expect(body, `${method} ${path}`).toMatchObject({result: 'success', msg: ''});
    return body;
  }

  get = (path: string, params?: Params) => this.call('GET', path, params);
  post = (path: string, params?: Params) => this.call('POST', path, params);
  patch = (path: string, params?: Params) => this.call('PATCH', path, params);
  delete = (path: string, params?: Params) => this.call('DELETE', path, params);

  /** The body of a refusal, after checking its status and code. */
  async refused(
    method: string,
    path: string,
    params: Params,
    expected: {status?: number; code: string},
  ): Promise<Reply> {
    const reply = await this.raw(method, path, params);
    expect(reply.body, `${method} ${path}`).toMatchObject({result: 'error', code: expected.code});
    expect(reply.status).toBe(expected.status ?? 400);
    return reply.body;
  }

  /** Registers a queue and gives a function that returns the events since the last time it was called. */
  async listen(params: Params = {}): Promise<Listener> {
    const state = await this.post('/register', {
      fetch_event_types: [],
      client_capabilities: fullClientCapabilities,
      ...params,
    });
    return new Listener(this, state);
  }

  async upload(
    path: string,
    filename: string,
    bytes: Uint8Array<ArrayBuffer>,
    type = 'application/octet-stream',
  ): Promise<RawReply> {
    const form = new FormData();
    form.set('file', new Blob([bytes], {type}), filename);
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method: 'POST',
      headers: this.#authorization(),
      body: form,
    });
    return {status: response.status, headers: response.headers, body: JSON.parse(await response.text())};
  }

  /** Something outside the API, such as an uploaded file. */
  web(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      headers: {...this.#authorization(), ...headers},
      redirect: 'manual',
    });
  }

  #authorization(): Record<string, string> {
    if (this.#person === undefined) return {};
    const credentials = `${this.#person.email}:${this.#person.apiKey}`;
    return {authorization: `Basic ${Buffer.from(credentials).toString('base64')}`};
  }
}

const formType = 'application/x-www-form-urlencoded;charset=UTF-8';

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

export class Listener {
  readonly state: Reply;
  readonly #client: ApiClient;
  #lastEventId: number;

  constructor(client: ApiClient, state: Reply) {
    this.#client = client;
    this.state = state;
    this.#lastEventId = state.last_event_id;
  }

  get queueId(): string {
    return this.state.queue_id;
  }

  /** What has been queued so far; never waits. Events leave before the reply to what caused them. */
  async events(): Promise<Reply[]> {
    return this.#poll(true);
  }

  /** Waits for at least one event. */
  async next(): Promise<Reply[]> {
    return this.#poll(false);
  }

  async #poll(dontBlock: boolean): Promise<Reply[]> {
    const {events} = await this.#client.get('/events', {
      queue_id: this.queueId,
      last_event_id: this.#lastEventId,
      dont_block: dontBlock,
    });
    this.#lastEventId = events.at(-1)?.id ?? this.#lastEventId;
    return events;
  }
}
