import {type FileHandle, open} from 'node:fs/promises';

/** The characters that are collected before they are written. */
const bufferLength = 1 << 20;

/** NUL, and halves of surrogate pairs: a Zulip server cannot store the first, and cannot read JSON with the others. */
const unreadable = /\\u(?:0000|d[89a-f])/;

/** Returns a value as JSON that Zulip's servers can read. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!unreadable.test(text)) return text;
  const readable = (part: string) => part.replaceAll('\0', '').toWellFormed();
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? readable(part) : part));
}

/** A file with one list of rows, or an object of such lists, that is written piece by piece. */
export class JsonFile {
  readonly #file: FileHandle;
  readonly #isObject: boolean;
  #text = '';
  #lists = 0;
  #rows = 0;

  private constructor(file: FileHandle, isObject: boolean) {
    this.#file = file;
    this.#isObject = isObject;
  }

  /** Creates the file of an object of lists. */
  static async object(path: string): Promise<JsonFile> {
    return new JsonFile(await open(path, 'wx', 0o600), true);
  }

  /** Creates the file of one list. */
  static async list(path: string): Promise<JsonFile> {
    const file = new JsonFile(await open(path, 'wx', 0o600), false);
    file.#text = '[';
    return file;
  }

  /** Starts the next list of the object. */
  startList(name: string): void {
    this.#text += `${this.#lists === 0 ? '{' : ']\n,'}${JSON.stringify(name)}:[`;
    this.#lists++;
    this.#rows = 0;
  }

  /** Adds rows to the list: the JSON of one, or of several with commas between them. */
  async add(json: string): Promise<void> {
    this.#text += this.#rows === 0 ? '\n' : ',\n';
    this.#text += json;
    this.#rows++;
    if (this.#text.length >= bufferLength) await this.#flush();
  }

  /** Ends the file; an object gets these properties too. */
  async close(properties: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.#text += ']';
    for (const [name, value] of Object.entries(properties)) {
      this.#text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    }
    this.#text += this.#isObject ? '}\n' : '\n';
    await this.#flush();
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#file.appendFile(text);
  }
}
