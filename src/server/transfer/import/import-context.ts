import {forbiddenInNames} from '#server/actions/inputs.ts';
import type {Database} from '#server/db/database.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {ExportSource} from './export-source.ts';
import type {JsonTables} from './json-tables.ts';

/** What the parts of one import share. */
export interface ImportContext {
  /** The new database. A second one is attached as `work`; what grows with the messages is in its tables. */
  readonly db: Database;
  readonly files: FileStore;
  readonly source: ExportSource;
  readonly realm: JsonTables;
  readonly report: ImportReport;
  /** UNIX seconds. */
  readonly now: number;
  readonly users: IdMap;
  readonly groups: IdMap;
  readonly folders: IdMap;
  readonly channels: IdMap;
  readonly emoji: IdMap;
  /** The new paths of the images of custom emoji, by the names of their files. */
  readonly emojiFiles: Map<string, string>;
  /** The groups without a name, each a value of permissions, by their ids in the export. */
  readonly unnamedGroups: Map<number, {direct_members: number[]; direct_subgroups: number[]}>;
  /** The names of the programs that messages were sent with. */
  readonly clients: ReadonlyMap<number, string>;
}

/** The new ids of the rows of one table, by their old ids. */
export class IdMap {
  readonly #what: string;
  readonly #ids = new Map<number, number>();

  /** `what` says in messages what the rows are. */
  constructor(what: string) {
    this.#what = what;
  }

  add(row: Row, id: number): void {
    const old = row.number('id');
    if (this.#ids.has(old)) row.fail(`the id ${old} is there twice.`);
    this.#ids.set(old, id);
  }

  get(old: number | undefined): number | undefined {
    return old === undefined ? undefined : this.#ids.get(old);
  }

  /** Returns the new id of what the row refers to. */
  of(row: Row, key: string): number {
    const old = row.number(key);
    return this.#ids.get(old) ?? row.fail(`“${key}” names the ${this.#what} ${old}, which is not in the export.`);
  }

  /** Returns the new id of what the row may refer to; null if it names nothing, or something unknown. */
  optional(row: Row, key: string): number | null {
    return this.get(row.optionalNumber(key)) ?? null;
  }
}

/** Returns a name without the characters that no name may have here. */
export function allowedName(name: string): string {
  return name.replace(new RegExp(forbiddenInNames, 'gu'), '').trim();
}

/** Returns the name of the program that a message was sent with. */
export function clientName({clients}: ImportContext, row: Row): string {
  return clients.get(row.optionalNumber('sending_client') ?? -1) ?? '';
}

/** Yields the rows of a table of realm.json and counts them as imported. */
export function* importedRows(context: ImportContext, table: string): Generator<Row> {
  for (const row of context.realm.rows(`zerver_${table}`)) {
    yield row;
    context.report.count(table);
  }
}

/** What the tables of an export hold. Tables without words have nothing that a person would count. */
const tableWords: Readonly<Record<string, string>> = {
  userprofile: 'people and bots',
  userprofile_mirrordummy: 'people without an account',
  namedusergroup: 'groups',
  usergroup: 'groups',
  channelfolder: 'channel folders',
  stream: 'channels',
  subscription: 'subscriptions, and people of direct conversations',
  message: 'messages',
  usermessage: 'flags: who received which message, and read it',
  reaction: 'reactions',
  submessage: 'polls, to-do lists and answers in them',
  attachment: 'uploaded files',
  avatars: 'pictures of people',
  realm_icons: 'pictures of the organization',
  realmemoji: 'custom emoji',
  realmfilter: 'linkifiers',
  realmdomain: 'domains',
  realmplayground: 'code playgrounds',
  defaultstreamgroup: 'groups of default channels',
  customprofilefield: 'profile fields',
  customprofilefieldvalue: 'profile values',
  usertopic: 'followed, muted and unmuted topics',
  muteduser: 'muted people',
  alertword: 'alert words',
  savedsnippet: 'saved snippets',
  navigationview: 'views in sidebars',
  userstatus: 'statuses',
  scheduledmessage: 'scheduled messages and reminders',
  botstoragedata: 'values that bots stored',
};

/** Counts what an import wrote, and what it left out. */
export class ImportReport {
  readonly #imported = new Map<string, number>();
  readonly leftOut = new Map<string, number>();
  /** Sentences about what makes the export look incomplete. */
  readonly doubts: string[] = [];
  /** The address of an owner, if none has an active account. */
  inactiveOwner: string | undefined;

  /** Counts rows of a table of the export, which is named without its prefix. */
  count(table: string, rows = 1): void {
    this.#imported.set(table, (this.#imported.get(table) ?? 0) + rows);
  }

  /** Counts something that is not imported; `what` says what it is, and why. */
  leaveOut(what: string, count = 1): void {
    if (count > 0) this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + count);
  }

  /** The numbers of imported rows by what they are. */
  get imported(): ReadonlyMap<string, number> {
    const counts = Object.entries(tableWords).map(([table, words]) => [words, this.#imported.get(table) ?? 0] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  }
}

/** Where a problem of an export is: a file, and in it a table and the position of a row, counted from 1. */
export interface Place {
  readonly file: string;
  readonly table?: string;
  readonly row?: number;
}

/** The export cannot be imported. The message is one sentence that names the place. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(problem: string, place?: Place) {
    const {file, table, row} = place ?? {};
    const names = [file, table, row === undefined ? '' : `row ${row}`].filter(Boolean);
    super(place === undefined ? problem : `${names.join(', ')}: ${problem}`);
  }
}

/** Ids and times above this are damage: as seconds, it is the last time that a Date represents. */
const maxNumber = 8.64e12;

type JsonRecord = Readonly<Record<string, unknown>>;

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

  /** Returns a name as this server allows it. */
  name(key: string, maxLength: number): string {
    return allowedName(this.text(key, maxLength)) || this.fail(`“${key}” is empty.`);
  }

  /** Returns a list of ids; empty if it is absent. */
  numbers(key: string): readonly number[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value) || !value.every(Number.isSafeInteger)) this.fail(`“${key}” is not a list of ids.`);
    return value;
  }
}
