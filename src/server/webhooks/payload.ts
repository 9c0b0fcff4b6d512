import {ApiError} from '#server/http/errors.ts';
import {parseJson} from '#std/parse-json.ts';

/** Reads JSON that a third party sent. A path is the names of members with dots between them. */
export class Payload {
  readonly #webhook: string;
  readonly #value: unknown;

  constructor(webhook: string, value: unknown) {
    this.#webhook = webhook;
    this.#value = value;
  }

  static parse(webhook: string, text: string): Payload {
    try {
      return new Payload(webhook, parseJson(text));
    } catch {
      throw new ApiError('INVALID_JSON', 'Malformed JSON');
    }
  }

  /** Returns whether there is a value other than null, false, 0 and the empty text. */
  has(path: string): boolean {
    return Boolean(this.#find(path));
  }

  text(path: string): string {
    return this.optionalText(path) ?? this.#fail();
  }

  /** Returns undefined for an absent value and for null. */
  optionalText(path: string): string | undefined {
    const value = this.#find(path);
    return value === undefined || typeof value === 'string' ? value : this.#fail();
  }

  number(path: string): number {
    const value = this.#find(path);
    return Number.isSafeInteger(value) ? Number(value) : this.#fail();
  }

  flag(path: string): boolean {
    const value = this.#find(path);
    return typeof value === 'boolean' ? value : this.#fail();
  }

  list(path: string): Payload[] {
    const value = this.#find(path) ?? [];
    if (!Array.isArray(value)) return this.#fail();
    return value.map((item) => new Payload(this.#webhook, item));
  }

  names(path: string): string[] {
    const value = this.#find(path);
    return isObject(value) ? Object.keys(value) : [];
  }

  #find(path: string): unknown {
    let value = this.#value;
    if (!isObject(value)) return this.#fail();
    for (const name of path.split('.')) {
      if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
      value = value[name];
    }
    return value ?? undefined;
  }

  #fail(): never {
    const message = `Unable to parse request: Did ${this.#webhook} generate this event?`;
    throw new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', message, 400, {webhook_name: this.#webhook});
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
