import type {Database} from '#server/db/database.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {ExportSource} from './export-source.ts';
import type {JsonTables} from './json-tables.ts';
import type {Row} from './row.ts';

/** What the parts of one import share. */
export interface ImportContext {
  /** The new database. A second one is attached as `work`; what grows with the messages is in its tables. */
  readonly db: Database;
  readonly files: FileStore;
  readonly source: ExportSource;
  /** The tables of realm.json. */
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
  readonly #leftOut = new Map<string, number>();
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
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  /** The numbers of imported rows by what they are. */
  get imported(): ReadonlyMap<string, number> {
    const known = Object.entries(tableWords).flatMap(([table, words]): [string, number][] => {
      const count = this.#imported.get(table) ?? 0;
      return count === 0 ? [] : [[words, count]];
    });
    return new Map(known);
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
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
    super(place === undefined ? problem : `${placeText(place)}: ${problem}`);
  }
}

function placeText({file, table, row}: Place): string {
  return [
    file,
    ...(table === undefined || table === '' ? [] : [table]),
    ...(row === undefined ? [] : [`row ${row}`]),
  ].join(', ');
}
