import type {ServerContext} from '#server/context.ts';
import {directConversationKey} from '#server/db/messages.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {caseKey} from './exported-words.ts';

/** The client of what is stored without one. */
const unnamedClient = 'Unspecified';

const maxClientLength = 30;

/**
 * What an export contains: everything, what is public, or what is public and what those people may read who agreed that
 * their private data is exported.
 */
export type ExportScope = 'everything' | 'public' | 'consented';

/** The people who agreed, and their bots. */
const consentingSql = `
  WITH person AS (SELECT id FROM user WHERE is_bot = 0 AND json_extract(settings, '$.allow_private_data_export'))
  SELECT id FROM person UNION SELECT id FROM user WHERE is_bot = 1
    AND (json_extract(settings, '$.allow_private_data_export') OR bot_owner_id IN (SELECT id FROM person))`;

/** What the tables of one export share: the organization, and the ids that only the export has. */
export class ExportContext {
  readonly server: ServerContext;
  readonly scope: ExportScope;
  /** The people whose private data is part of the export; undefined for everybody. */
  readonly consenting: ReadonlySet<number> | undefined = undefined;
  /** UNIX seconds. */
  readonly now: number;
  readonly groups: ExportedGroups;
  readonly #clients = new Map<string, number>();
  #kind = '';
  readonly #texts = new Set<string>();
  /** The conversations of scheduled messages that have no message yet, by key. */
  readonly newConversations = new Map<string, number>();
  /** The scheduled messages that link to a file, by path. */
  readonly scheduledUploads = new Map<string, number[]>();
  /** The custom emoji that move. */
  readonly animatedEmoji = new Set<number>();
  /** What could not be exported as it is, and how often. */
  readonly changes = new Map<string, number>();

  constructor(server: ServerContext, scope: ExportScope) {
    const {db, clock} = server;
    this.server = server;
    this.scope = scope;
    if (scope !== 'everything') this.consenting = new Set(scope === 'public' ? [] : db.pluck(consentingSql));
    this.now = Math.floor(clock.now() / 1000);
    this.groups = new ExportedGroups((db.value('SELECT MAX(id) FROM user_group') ?? 0) + 1);
    const names = db.pluck<string>('SELECT client FROM message UNION SELECT client FROM scheduled_message');
    for (const name of [unnamedClient, ...names]) this.clientId(name);
  }

  /** Returns whether the export contains what belongs to this person alone. */
  hasPrivateDataOf(userId: unknown): boolean {
    return this.consenting === undefined || this.consenting.has(Number(userId));
  }

  get clients(): Iterable<[name: string, id: number]> {
    return this.#clients;
  }

  clientId(client: string): number {
    const name = client === '' ? unnamedClient : client.slice(0, maxClientLength);
    const id = this.#clients.get(name) ?? this.#clients.size + 1;
    this.#clients.set(name, id);
    return id;
  }

  /** Returns the recipient of a direct conversation; one that does not exist yet becomes part of the export. */
  directRecipient(userIds: Iterable<number>): number {
    const {db} = this.server;
    const key = directConversationKey(userIds);
    const stored = db.value('SELECT id FROM dm WHERE key = ?', key) ?? this.newConversations.get(key);
    const id = stored ?? (db.value('SELECT MAX(id) FROM dm') ?? 0) + this.newConversations.size + 1;
    if (stored === undefined) this.newConversations.set(key, id);
    return id * 2 + 1;
  }

  /** Returns whether the other server would take no earlier text of this kind for the same. One kind follows another. */
  isFirst(kind: string, text: string): boolean {
    if (this.#kind !== kind) this.#texts.clear();
    this.#kind = kind;
    const size = this.#texts.size;
    return this.#texts.add(caseKey(text)).size > size;
  }

  /** Returns a name, with a number if the other server would take it for one that was given. */
  uniqueName(kind: string, name: string): string {
    if (this.isFirst(kind, name)) return name;
    this.noteChange(`names of ${kind} that a Zulip server takes for those of others (numbered)`);
    for (let number = 2; ; number++) {
      const numbered = `${name.slice(0, 50)} (${number})`;
      if (this.isFirst(kind, numbered)) return numbered;
    }
  }

  noteChange(what: string): void {
    this.changes.set(what, (this.changes.get(what) ?? 0) + 1);
  }
}

/** A group without a name: the value of a setting that is made of people and groups. */
interface UnnamedGroup {
  readonly id: number;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
}

/** Turns values of permission settings into ids of groups. */
class ExportedGroups {
  readonly unnamed: UnnamedGroup[] = [];
  #nextId: number;

  /** Groups without a name get ids from `nextId` on. */
  constructor(nextId: number) {
    this.#nextId = nextId;
  }

  idOf(setting: GroupSetting): number {
    if (typeof setting === 'number') return setting;
    const id = this.#nextId++;
    this.unnamed.push({id, members: setting.direct_members, subgroups: setting.direct_subgroups});
    return id;
  }

  /** Returns the permissions with a group id as the value of each. */
  idsOf(permissions: Readonly<Record<string, GroupSetting>>): Record<string, number> {
    return Object.fromEntries(Object.entries(permissions).map(([name, setting]) => [name, this.idOf(setting)]));
  }
}

export type ExportRow = Readonly<Record<string, unknown>>;

/**
 * A table of Zulip's export. Its rows come from SQL, or from `rows`, or it is empty. A column whose name ends in `?` is
 * a boolean. Rows without an id are numbered. `change` completes a row, or leaves it out.
 */
export interface ExportTable {
  /** Without `zerver_`. */
  readonly name: string;
  readonly sql?: string;
  readonly rows?: (context: ExportContext) => Iterable<ExportRow>;
  // biome-ignore lint/suspicious/noExplicitAny: the columns of `sql`
  readonly change?: (row: any, context: ExportContext) => ExportRow | undefined;
  /** Whether the table is part of this export; always if undefined. */
  readonly isNeeded?: (context: ExportContext) => boolean;
  /** Whether its rows belong to one person each, who did not make them public; then the first column of `sql` names it. */
  readonly isPersonal?: true;
}

/** Yields the rows of a table as they are written. */
export function* tableRows(table: ExportTable, context: ExportContext): Generator<ExportRow> {
  let id = 0;
  for (const stored of sourceRows(table, context)) {
    if (table.isPersonal === true && !context.hasPrivateDataOf(Object.values(stored)[0])) continue;
    const row = table.change === undefined ? stored : table.change(stored, context);
    if (row === undefined) continue;
    id++;
    yield {id, ...row};
  }
}

function* sourceRows({sql, rows}: ExportTable, context: ExportContext): Generator<ExportRow> {
  if (rows !== undefined) yield* rows(context);
  if (sql !== undefined) for (const row of context.server.db.each(sql)) yield withBooleans(row);
}

function withBooleans(row: ExportRow): ExportRow {
  const result: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name];
    if (name.endsWith('?')) result[name.slice(0, -1)] = value === null ? null : value === 1;
    else result[name] = value;
  }
  return result;
}
