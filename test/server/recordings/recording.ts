import {globSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {gunzipSync} from 'node:zlib';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The organization that a recording starts from, in addition to its owner and the channel "general". */
export interface RecordedWorld {
  readonly users: readonly {name: string; email: string; full_name: string; password: string; role: number}[];
  readonly bots: readonly {name: string; owner: string; full_name: string; short_name: string; bot_type: number}[];
  /** The parameters of each registration, unless a queue says otherwise. */
  readonly queue_defaults: JsonObject;
  readonly queues: readonly QueueRegistration[];
  /** Unusual and wrong logins: a name, an email address and a key. */
  readonly credentials?: Readonly<Record<string, readonly [email: string, key: string]>>;
}

export interface QueueRegistration {
  readonly name: string;
  readonly who: string;
  readonly params?: JsonObject;
}

/** A request. Without `answer` it only prepares for later ones, and succeeded on the recorded server. */
export interface RecordedRequest {
  readonly who: string;
  readonly method: string;
  /** Below `/api/v1`, unless `raw`. */
  readonly path: string;
  readonly raw?: boolean;
  /** A text is the whole body; in an object, texts are sent as they are and everything else as JSON. */
  readonly params?: JsonObject | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, readonly [name: string, base64: string, type: string]>>;
  /** The symbols that the response defines, and where: `stream_id`, `members/0/user_id`. */
  readonly save?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly answer?: Json;
  /** The fields of the response that are not compared. */
  readonly ignore?: readonly string[];
  /** The events that each queue received because of the request, by names of queues separated by commas. */
  readonly events?: Readonly<Record<string, readonly JsonObject[]>>;
}

export type RecordedLine =
  | RecordedRequest
  | {readonly register: string; readonly who: string; readonly params?: JsonObject}
  | {readonly unregister: string}
  | {readonly login: string; readonly email?: string; readonly password?: string};

/** What a Zulip server of the newest level returned and which events it sent, for the requests of one area. */
export interface Recording {
  readonly area: string;
  readonly world: RecordedWorld;
  /** The lines after the first, which describes the world: the first of them is line 2 of the file. */
  readonly lines: readonly RecordedLine[];
}

const directory = join(import.meta.dirname, '../../fixtures/recordings');
const extension = '.jsonl.gz';

export function recordedAreas(): string[] {
  return globSync(`*${extension}`, {cwd: directory})
    .map((file) => basename(file, extension))
    .sort();
}

export function readRecording(area: string): Recording {
  const text = gunzipSync(readFileSync(join(directory, `${area}${extension}`))).toString();
  const [head, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {area, world: head.world, lines};
}
