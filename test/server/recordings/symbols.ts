import type {Json} from './recording.ts';

/** A text that consists of a symbol: `$u.member$`. */
const symbolOnly = /^\$([a-z]+\.[\w-]+)\$$/;
const symbolInText = /\$([a-z]+\.[\w-]+)\$/g;
const laterInText = /\$now\+(\d+)\$/g;
const laterOnly = /^\$now\+(\d+)\$$/;

/** The error when a request needs an id that no earlier response had. */
export class UnknownSymbol extends Error {
  override readonly name = 'UnknownSymbol';
}

/** Returns the name of the symbol that a text consists of. */
export function symbolName(value: unknown): string | undefined {
  return typeof value === 'string' ? symbolOnly.exec(value)?.[1] : undefined;
}

/** Returns the kind of a symbol: `u` for users, `m` for messages. */
export function kindOfSymbol(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/**
 * The ids of this server that the symbols of a recording stand for. `u.member` is the same user in the whole recording; a
 * symbol is bound where it first appears.
 */
export class Symbols {
  readonly #values = new Map<string, Json>();
  readonly #names = new Map<string, string>();

  copy(): Symbols {
    const copy = new Symbols();
    for (const [name, value] of this.#values) copy.#values.set(name, value);
    for (const [value, name] of this.#names) copy.#names.set(value, name);
    return copy;
  }

  /** Binds a symbol to the id of an object, which no other symbol of this kind stands for. */
  bind(name: string, value: Json): void {
    this.#values.set(name, value);
    this.#names.set(`${kindOfSymbol(name)} ${JSON.stringify(value)}`, name);
  }

  /** Sets the value of a symbol that several symbols may share, such as an id that does not exist. */
  set(name: string, value: Json): void {
    this.#values.set(name, value);
  }

  get(name: string): Json | undefined {
    return this.#values.get(name);
  }

  /** Returns the symbol of this kind that stands for the value. */
  nameOf(kind: string, value: unknown): string | undefined {
    return this.#names.get(`${kind} ${JSON.stringify(value)}`);
  }

  /** Returns a text of the recording as this server understands it. */
  text(template: string): string {
    return template
      .replaceAll(laterInText, (_, seconds) => String(secondsFromNow(seconds)))
      .replaceAll(symbolInText, (_, name) => String(this.#known(name)));
  }

  /** Returns the text of a form field. */
  param(value: Json): string {
    return typeof value === 'string' ? this.text(value) : JSON.stringify(this.#resolved(value));
  }

  #resolved(value: Json): Json {
    if (typeof value === 'string') {
      const name = symbolName(value);
      const seconds = laterOnly.exec(value)?.[1];
      if (seconds !== undefined) return secondsFromNow(seconds);
      return name === undefined ? this.text(value) : this.#known(name);
    }
    if (Array.isArray(value)) return value.map((item) => this.#resolved(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.#resolved(item)]));
  }

  #known(name: string): Json {
    const value = this.#values.get(name);
    if (value === undefined) throw new UnknownSymbol(name);
    return value;
  }
}

function secondsFromNow(seconds: string | undefined): number {
  return Math.floor(Date.now() / 1000) + Number(seconds);
}
