import {ImportError, type Place} from './import-context.ts';

/** Ids and times above this are damage: as seconds, it is the last time that a Date represents. */
const maxNumber = 8.64e12;

export type JsonRecord = Readonly<Record<string, unknown>>;

/** One row of a table of the export. Its methods check the type of a value and fail with the place of the row. */
export class Row {
  readonly place: Place;
  readonly #values: JsonRecord;

  constructor(place: Place, values: JsonRecord) {
    this.place = place;
    this.#values = values;
  }

  fail(problem: string): never {
    throw new ImportError(problem, this.place);
  }

  /** Returns the value; undefined if it is absent or null. */
  value(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? (this.#values[key] ?? undefined) : undefined;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  isNull(key: string): boolean {
    return Object.hasOwn(this.#values, key) && this.#values[key] === null;
  }

  /** Returns an id or another whole number. */
  number(key: string): number {
    return this.optionalNumber(key) ?? this.fail(`“${key}” is missing.`);
  }

  optionalNumber(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > maxNumber) {
      this.fail(`“${key}” is not a whole number in the range of ids.`);
    }
    return value;
  }

  /** Returns a time in whole UNIX seconds. */
  time(key: string): number {
    return this.optionalTime(key) ?? this.fail(`“${key}” is missing.`);
  }

  optionalTime(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value >= 0 && value <= maxNumber)) {
      this.fail(`“${key}” is not a time in seconds.`);
    }
    return Math.floor(value);
  }

  flag(key: string, fallback = false): boolean {
    const value = this.value(key) ?? fallback;
    if (typeof value !== 'boolean') this.fail(`“${key}” is neither true nor false.`);
    return value;
  }

  /** Returns 1 or 0, as the database stores it. */
  bit(key: string, fallback = false): number {
    return this.flag(key, fallback) ? 1 : 0;
  }

  /** Returns 1, 0 or null. */
  optionalBit(key: string): number | null {
    return this.has(key) ? this.bit(key) : null;
  }

  text(key: string, maxLength: number): string {
    return this.optionalText(key, maxLength) ?? this.fail(`“${key}” is missing.`);
  }

  optionalText(key: string, maxLength: number): string | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') this.fail(`“${key}” is not a text.`);
    if (value.includes('\0')) this.fail(`“${key}” contains a NUL character.`);
    if (value.length > maxLength && Array.from(value).length > maxLength) {
      this.fail(`“${key}” is longer than ${maxLength} characters.`);
    }
    return value.toWellFormed();
  }

  /** Returns a list of ids; empty if it is absent. */
  numbers(key: string): readonly number[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value) || !value.every(Number.isSafeInteger)) this.fail(`“${key}” is not a list of ids.`);
    return value;
  }
}
