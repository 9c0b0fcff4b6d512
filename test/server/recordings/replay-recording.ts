import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import {testPasswordCost} from '#test/support/server.ts';
import {checkEvents, checkResponse} from '#test/support/wire-check.ts';
import {compareEvents} from './compare-events.ts';
import {compareValues, isObject} from './compare-values.ts';
import type {Difference} from './difference.ts';
import {shown} from './json-text.ts';
import {type Answer, type Credentials, sendRecorded} from './recorded-client.ts';
import type {Json, JsonObject, QueueRegistration, RecordedLine, RecordedRequest, Recording} from './recording.ts';
import {type Symbols, UnknownSymbol} from './symbols.ts';
import {worldImage} from './world-image.ts';

/** A difference with its place in the recording. */
export interface LineDifference extends Difference {
  readonly area: string;
  readonly line: number;
  /** Who requested what. */
  readonly request: string;
}

interface ReplayResult {
  readonly area: string;
  /** The number of compared requests. */
  readonly compared: number;
  /** Also of class `not_prepared`: a request that only prepares and is refused here. */
  readonly differences: readonly LineDifference[];
}

/** Repeats the requests of a recording on a new server, and compares its responses and events with the recorded ones. */
export async function replayRecording(recording: Recording): Promise<ReplayResult> {
  const image = await worldImage(recording.world);
  const directory = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
  try {
    const database = join(directory, 'world.db');
    writeFileSync(database, image.database);
    const log = (line: string, error?: unknown) => console.error(line, error);
    const server = await startServer({
      database,
      secrets: image.secrets,
      passwordCost: testPasswordCost,
      rateLimited: false,
      log,
    });
    try {
      return await new Replay(recording, server, image).run();
    } finally {
      await server.close();
    }
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}

class Replay {
  readonly #recording: Recording;
  readonly #server: RunningServer;
  readonly #symbols: Symbols;
  readonly #credentials: Map<string, Credentials>;
  readonly #queues = new Map<string, EventQueue>();
  readonly #differences: LineDifference[] = [];

  constructor(
    recording: Recording,
    server: RunningServer,
    image: {readonly symbols: Symbols; readonly credentials: ReadonlyMap<string, Credentials>},
  ) {
    this.#recording = recording;
    this.#server = server;
    this.#symbols = image.symbols.copy();
    this.#credentials = new Map(image.credentials);
  }

  async run(): Promise<ReplayResult> {
    const {area, world, lines} = this.#recording;
    for (const [name, [email, key]] of Object.entries(world.credentials ?? {})) {
      this.#credentials.set(name, [this.#symbols.text(email), this.#symbols.text(key)]);
    }
    for (const queue of world.queues) await this.#register(queue);
    for (const [index, line] of lines.entries()) await this.#runLine(line, index + 2);
    const compared = lines.filter((line) => 'answer' in line).length;
    return {area, compared, differences: this.#differences};
  }

  async #runLine(line: RecordedLine, number: number): Promise<void> {
    if ('register' in line) return this.#register({...line, name: line.register});
    if ('unregister' in line) this.#queues.delete(line.unregister);
    else if ('login' in line) await this.#login(line.login, line);
    else {
      const request = `${line.who} ${line.method} ${line.path} ${shown(line.params ?? {}, 160)}`;
      const {area} = this.#recording;
      await this.#runRequest(line, (difference) => {
        const here = difference.here
          .replaceAll(this.#server.url, '$BASE$')
          .replaceAll(new URL(this.#server.url).host, '$HOST$');
        this.#differences.push({...difference, here, area, line: number, request});
      });
    }
  }

  async #runRequest(line: RecordedRequest, report: (difference: Difference) => void): Promise<void> {
    this.#takeEvents();
    const answer = await this.#send(line);
    const isPreparation = line.answer === undefined;
    if (typeof answer === 'string') {
      const here = 'not created here: an earlier request differs';
      report({class: isPreparation ? 'not_prepared' : 'blocked', at: 'symbol', real: `${answer} exists`, here});
      return;
    }
    if (!isPreparation || answer.status === 200) this.#save(line, answer.body);
    if (line.answer === undefined) {
      const here = `${answer.status} ${shown(answer.body)}`;
      if (answer.status !== 200) report({class: 'not_prepared', at: 'status', real: '200', here});
      return;
    }
    const context = {symbols: this.#symbols, report};
    if (!compareAnswer(context, line, answer)) return;
    if (line.events !== undefined) this.#compareEvents(context, line.who, line.events);
  }

  /** Sends the request of a line. Returns the name of the symbol that it needs if nothing here was given that symbol. */
  async #send({who, method, path, raw, params, headers = {}, files}: RecordedRequest): Promise<Answer | string> {
    try {
      const encoded = typeof params === 'object' ? this.#params(params) : params;
      const resolvedPath = this.#symbols.text(path);
      const answer = await sendRecorded(this.#server.url, this.#credentials.get(who), {
        method,
        path: (raw === true ? '' : '/api/v1') + resolvedPath,
        ...(encoded === undefined ? {} : {params: encoded}),
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, this.#symbols.text(text)])),
        files,
      });
      if (isObject(answer.body) && raw !== true) checkResponse(method, resolvedPath, answer.body);
      return answer;
    } catch (error) {
      if (error instanceof UnknownSymbol) return error.message;
      throw error;
    }
  }

  #params(params: JsonObject): Record<string, string> {
    const given = Object.entries(params).filter(([, value]) => value !== null);
    return Object.fromEntries(given.map(([name, value]) => [name, this.#symbols.param(value)]));
  }

  #save({save = {}}: RecordedRequest, body: Json): void {
    for (const [name, place] of Object.entries(save)) {
      const value = place
        .split('/')
        .reduce<Json | undefined>((part, key) => (part as Record<string, Json> | null)?.[key], body);
      if (value !== undefined && value !== null) this.#symbols.bind(name, value);
    }
  }

  async #login(name: string, given: {readonly email?: string; readonly password?: string}): Promise<void> {
    const {email = '', password = ''} = this.#recording.world.users.find((user) => user.name === name) ?? given;
    const body = await this.#call('anon', 'POST', '/fetch_api_key', {username: email, password});
    const credentials = [String(body.email), String(body.api_key)] as const;
    this.#credentials.set(name, credentials);
    this.#symbols.set(`e.${name}`, credentials[0]);
    this.#symbols.set(`k.${name}`, credentials[1]);
  }

  async #register({name, who, params}: QueueRegistration): Promise<void> {
    const {queue_defaults} = this.#recording.world;
    const state = await this.#call(who, 'POST', '/register', this.#params({...queue_defaults, ...params}));
    const queue = this.#server.context.queues.find(String(state.queue_id), Number(this.#symbols.get(`u.${who}`)));
    if (queue === undefined) throw new Error(`The queue ${name} does not exist.`);
    this.#queues.set(name, queue);
    this.#symbols.set(`q.${name}`, queue.id);
  }

  async #call(who: string, method: string, path: string, params: Readonly<Record<string, string>>) {
    const sent = {method, path: `/api/v1${path}`, params};
    const {status, body} = await sendRecorded(this.#server.url, this.#credentials.get(who), sent);
    if (status !== 200 || !isObject(body)) throw new Error(`${who} ${method} ${path}: ${status} ${shown(body)}`);
    return body;
  }

  /**
   * Returns the new events of each queue and acknowledges them, without a request. The server queues events before it
   * responds to their cause, so none is late.
   */
  #takeEvents(): Map<string, readonly JsonObject[]> {
    return new Map(
      [...this.#queues].map(([name, queue]) => {
        const events: readonly JsonObject[] = JSON.parse(queue.eventsJson());
        checkEvents(events);
        queue.acknowledge(queue.lastEventId);
        return [name, events.filter(({type}) => type !== 'heartbeat').map(({id: _, ...event}) => event)];
      }),
    );
  }

  #compareEvents(
    context: Parameters<typeof compareEvents>[0],
    who: string,
    recorded: NonNullable<RecordedRequest['events']>,
  ): void {
    const expected = new Map(
      Object.entries(recorded).flatMap(([names, events]) => names.split(',').map((name) => [name, events])),
    );
    // New symbols are bound by the events of the user's own queue first.
    const names = [...this.#queues.keys()].sort();
    const taken = this.#takeEvents();
    for (const name of [...names.filter((one) => one === who), ...names.filter((one) => one !== who)]) {
      compareEvents(context, name, expected.get(name) ?? [], taken.get(name) ?? []);
    }
  }
}

/** Compares a response; returns false if its status differs, which makes everything else meaningless. */
function compareAnswer(
  context: Parameters<typeof compareValues>[0],
  {status, answer = null, ignore = []}: RecordedRequest,
  actual: Answer,
): boolean {
  if (status !== actual.status) {
    const [real, here] = [`${status} ${shown(answer)}`, `${actual.status} ${shown(actual.body)}`];
    context.report({class: 'status', at: 'status', real, here});
    return false;
  }
  if (!isObject(answer) || !isObject(actual.body)) {
    const isNeither = !isObject(answer) && !isObject(actual.body);
    if (!isNeither) context.report({class: 'body', at: 'body', real: shown(answer), here: shown(actual.body)});
    return true;
  }
  const {code, msg} = actual.body;
  const isError = answer.result === 'error' && !ignore.includes('result');
  const skipped = isError ? [...ignore, 'code', 'msg'] : ignore;
  if (isError && answer.code !== code) {
    context.report({class: 'code', at: 'code', real: `${answer.code}: ${answer.msg}`, here: `${code}: ${msg}`});
    return true;
  }
  if (isError) {
    const report = (difference: Difference) => context.report({...difference, class: 'msg'});
    compareValues({...context, report}, answer.msg ?? null, msg ?? null, {at: 'msg'});
  }
  compareValues(context, without(answer, skipped), without(actual.body, skipped), {at: ''});
  return true;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
