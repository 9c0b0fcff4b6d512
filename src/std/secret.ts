const mask = '••••';

/** A text that must not reach a log, an error or a screen: however it is printed, dots come out. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself; call it where it is used, and keep the result nowhere. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}
