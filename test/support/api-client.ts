import {setTimeout} from 'node:timers/promises';
import {request} from 'undici';
import {expect} from 'vitest';
import {typeByName} from '#std/media-type.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import type {Person} from './people.ts';
import {checkResponse} from './wire-check.ts';

export type Params = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: tests check responses of any shape
export type Reply = Record<string, any>;

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Reply;
}

/**
 * An API client for tests that sends requests as any client would: form bodies and Basic credentials, without our own
 * API layer.
 */
export class ApiClient {
  readonly #url: string;
  readonly #person: Person | undefined;
  readonly #waitsForRateLimit: boolean;
  readonly #isChecked: boolean;
  readonly #prefix: string;

  /**
   * With `waitsForRateLimit`, a request that the rate limit refuses is repeated after the time that the server says. With
   * `isChecked`, a response that has something which the schemas of `wire/` do not describe fails the test. A browser's
   * requests have the `prefix` `/json`.
   */
  constructor(
    url: string,
    person: Person | undefined,
    {waitsForRateLimit = false, isChecked = false, prefix = '/api/v1'} = {},
  ) {
    this.#url = url;
    this.#person = person;
    this.#waitsForRateLimit = waitsForRateLimit;
    this.#isChecked = isChecked;
    this.#prefix = prefix;
  }

  async raw(
    method: string,
    path: string,
    params: Params = {},
    headers: Record<string, string> = {},
  ): Promise<RawReply> {
    for (;;) {
      const reply = await this.#request(method, path, params, headers);
      if (reply.status !== 429 || !this.#waitsForRateLimit) return reply;
      await setTimeout(1000 * (Number(reply.body['retry-after']) || 1));
    }
  }

  async #request(method: string, path: string, params: Params, headers: Record<string, string>): Promise<RawReply> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const inQuery = method === 'GET';
    const url = `${this.#url}${this.#prefix}${path}${inQuery && form.size > 0 ? `?${form}` : ''}`;
    // Not `fetch`: tests send tens of thousands of requests, and its streams and objects would take a third of the
    // time.
    const response = await request(url, {
      method,
      headers: {
        ...this.#authorization(),
        'user-agent': 'website',
        ...(inQuery ? {} : {'content-type': formType}),
        ...headers,
      },
      ...(inQuery ? {} : {body: `${form}`}),
    });
    const text = await response.body.text();
    const body: Reply = text.startsWith('{') ? JSON.parse(text) : {html: text};
    if (this.#isChecked && body.html === undefined) checkResponse(method, path, body);
    return {
      status: response.statusCode,
      get headers() {
        return headersOf(response.headers);
      },
      body,
    };
  }

  /** Returns the body of a successful response; otherwise fails the test with the server's error. */
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

  /** Returns the body of an error response, after checking its status and code. */
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

  /** Registers an event queue; the listener returns the events since its last call. */
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
    type = typeByName(filename) ?? 'application/octet-stream',
  ): Promise<RawReply> {
    const form = new FormData();
    form.set('file', new Blob([bytes], {type}), filename);
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method: 'POST',
      headers: this.#authorization(),
      body: form,
    });
    const body: Reply = JSON.parse(await response.text());
    if (this.#isChecked) checkResponse('POST', path, body);
    return {status: response.status, headers: response.headers, body};
  }

  /** Requests something outside the API, such as an uploaded file. */
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

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
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

  /** Returns the events queued so far without waiting. The server queues events before it responds to their cause. */
  async events(): Promise<Reply[]> {
    return this.#poll(true);
  }

  /** Waits for at least one event. */
  async next(): Promise<Reply[]> {
    return this.#poll(false);
  }

  /** Waits for the first event that matches and returns it. */
  async first(matches: (event: Reply) => boolean): Promise<Reply> {
    for (;;) {
      const event = (await this.next()).find(matches);
      if (event !== undefined) return event;
    }
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
