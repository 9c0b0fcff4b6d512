import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {userSettingDefaults} from '#server/accounts/user-settings.ts';
import {exportedSettings} from '#server/transfer/export/export-context.ts';
import {type NewIds, OwnHosts, rewriteSubmessage, rewriteText, rewriteView} from '#server/transfer/references.ts';
import {type ReadExport, type Row, readExport} from './read-export.ts';

/** The tables that keys refer to. */
const targets: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['sender', 'user_profile', 'user', 'owner', 'author', 'creator', 'bot_owner', 'muted_user', 'bot_profile'].map(
      (key) => [key, 'user'],
    ),
  ),
  ...Object.fromEntries(
    ['stream', 'moderation_request_channel', 'default_sending_stream', 'default_events_register_stream'].map((key) => [
      key,
      'stream',
    ]),
  ),
  folder: 'channelfolder',
  field: 'customprofilefield',
  client: 'client',
  sending_client: 'client',
  message: 'message',
  reminder_target_message_id: 'message',
};

/** What every export has anew, or what follows from other columns. Unnamed groups are compared where they are used. */
const ignoredKeys = new Set([
  'parley_url',
  'id',
  'realm',
  'realm_for_sharding',
  'uuid',
  'rendered_content',
  'rendered_content_version',
  'prev_rendered_content',
  'prev_rendered_content_version',
  'file_name',
  'path_id',
  'huddle_hash',
]);
const ignoredTables = new Set(['usergroup', 'recipient', 'huddle', 'presencesequence']);

type Tables = ReadonlyMap<string, readonly Row[]>;

/**
 * Returns the tables of an export in a form that does not depend on ids: a reference is the position of the row that it
 * names, a path the name of the file, and a file the hash of its bytes.
 */
export function comparableExport(directory: string): Tables {
  const names = new ExportNames(readExport(directory));
  const tables = [...names.data.tables].filter(([table]) => !ignoredTables.has(table));
  return new Map([
    ...tables.map(([table]) => {
      const rows = names.data.original(table);
      return [table, rows.flatMap((row) => names.comparable(table, row))] as const;
    }),
    ...names.data.folders.map((folder) => [`files in ${folder}`, names.files(folder)] as const),
  ]);
}

/** How the rows of a table in two exports compare. */
export interface ComparedTable {
  readonly table: string;
  readonly before: number;
  readonly after: number;
  readonly equal: number;
  /** A sentence for each row and each column that only one of the exports has. */
  readonly differences: readonly string[];
}

/**
 * Compares two exports. Columns that no row of the other one has are named once, and left out of the rows. A `table` or
 * `table.column` in `expected` is not compared.
 */
export function comparedTables(before: Tables, after: Tables, expected: ReadonlySet<string>): ComparedTable[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((table) => !expected.has(table))
    .map((table) => {
      const [old, now] = [before.get(table) ?? [], after.get(table) ?? []];
      const [oldKeys, newKeys] = [columnsOf(old), columnsOf(now)];
      const one = [...oldKeys.symmetricDifference(newKeys)].filter(
        (key) => old.length > 0 && now.length > 0 && key !== '',
      );
      const shared = [...oldKeys.intersection(newKeys)].filter((key) => !expected.has(`${table}.${key}`)).sort();
      const others = now.map((row) => rowText(row, shared));
      const missing = old.map((row) => rowText(row, shared)).filter((text) => !removeOne(others, text));
      const differences = [
        ...one
          .filter((key) => !expected.has(`${table}.${key}`))
          .map((key) => `${table}: only one has the column ${key}`),
        ...Array.from({length: Math.max(missing.length, others.length)}, (_, at) =>
          rowDifference(table, missing[at], others[at]),
        ),
      ];
      return {table, before: old.length, after: now.length, equal: old.length - missing.length, differences};
    });
}

/** Returns the differences of all tables. */
export function exportDifferences(before: Tables, after: Tables, expected: ReadonlySet<string> = new Set()): string[] {
  return comparedTables(before, after, expected).flatMap(({differences}) => differences);
}

/** Names a row that only one export has or, of two that were different, the columns. */
function rowDifference(table: string, old: string | undefined, now: string | undefined): string {
  if (old === undefined || now === undefined) return `${table}: only the ${old ? 'first' : 'second'} has ${old ?? now}`;
  const [before, after] = [JSON.parse(old), JSON.parse(now)];
  const columns = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return `${table}: ${columns.map((key) => `${key} ${JSON.stringify([before[key], after[key]])}`).join(', ')}`;
}

function columnsOf(rows: readonly Row[]): Set<string> {
  return new Set(rows.flatMap((row) => Object.keys(row)));
}

function rowText(row: Row, columns: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(columns.map((key) => [key, row[key] ?? null])));
}

function removeOne(list: string[], text: string): boolean {
  const at = list.indexOf(text);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** Names the rows of one export without their ids. */
class ExportNames {
  readonly data: ReadExport;
  readonly #positions: ReadonlyMap<string, ReadonlyMap<unknown, number>>;
  readonly #files: ReadonlyMap<unknown, unknown>;
  readonly #ids: NewIds;
  /** The positions of people by name. */
  readonly #people: ReadonlyMap<unknown, readonly number[]>;

  constructor(data: ReadExport) {
    this.data = data;
    const accounts = ['userprofile_crossrealm', 'userprofile', 'userprofile_mirrordummy'];
    // By address, because exports name the system bots in another order.
    const address = ({delivery_email, email}: Row) => String(delivery_email ?? email);
    const people = accounts.flatMap((table) => data.rows(table)).toSorted((a, b) => (address(a) < address(b) ? -1 : 1));
    const tables = new Map(data.tables).set('user', people);
    this.#positions = new Map([...tables].map(([table, rows]) => [table, new Map(rows.map(({id}, at) => [id, at]))]));
    const byName = Map.groupBy(people.keys(), (at) => people[at]?.full_name);
    this.#people = byName;
    this.#files = new Map(data.rows('attachment').map(({path_id, file_name}) => [path_id, file_name]));
    const position = (table: string) => (id: number) => this.#positions.get(table)?.get(id);
    this.#ids = {
      user: position('user'),
      group: position('namedusergroup'),
      channel: position('stream'),
      message: position('message'),
      // Names of files have at most 200 bytes here.
      upload: (path) => this.#files.get(path)?.toString().slice(0, 50),
      emoji: (file) =>
        data
          .rows('realmemoji')
          .find(({file_name}) => file_name === file)
          ?.name?.toString(),
      isOwnHost: new OwnHosts().has,
    };
  }

  comparable(table: string, row: Row): Row[] {
    // Who is in an unnamed group is compared where the group is used.
    const group = row.user_group ?? row.supergroup;
    if (group !== undefined && typeof this.#group(group) !== 'string') return [];
    return [this.#object(row, table)];
  }

  /** Returns the files of a folder, the original of a picture that is there in several sizes. */
  files(folder: string): Row[] {
    const {directory} = this.data;
    const records = this.data.records(folder);
    const paths = new Set(records.map(({path}) => path));
    const isSmaller = ({path}: Row) =>
      paths.has(`${path}.original`) || paths.has(String(path).replace(/\.\w+$/, '.original'));
    return records
      .filter((record) => String(record.path).endsWith('.original') || !isSmaller(record))
      .map(({path, user_profile_id, name}) => ({
        name:
          name ??
          (folder === 'uploads' ? this.#ids.upload(String(path)) : String(path).match(/[a-z_]*icon|[a-z_]*logo/)?.[0]),
        user: this.#ids.user(Number(user_profile_id)),
        hash: createHash('sha256')
          .update(readFileSync(join(directory, folder, String(path))))
          .digest('hex'),
      }));
  }

  #object(row: Row, table: string): Record<string, unknown> {
    const defaults = /^userprofile$|^realmuserdefault$/.test(table) ? exportedSettings(userSettingDefaults) : {};
    // A setting that is stored although it is the default means the same as none.
    const entries = Object.entries({...defaults, ...row}).filter(([key]) => !ignoredKeys.has(key));
    return Object.fromEntries(entries.sort().map(([key, value]) => [key, this.#value(key, value, row, table)]));
  }

  #value(key: string, value: unknown, row: Row, table: string): unknown {
    if (value === null) return null;
    // Times have fractions of seconds on a Zulip server.
    if (typeof value === 'number' && value > 1e9) return Math.floor(value);
    const target = /_announcements_stream$/.test(key) ? 'stream' : targets[key];
    if (target === 'client') return this.data.rows('client').find(({id}) => id === value)?.name;
    if (target !== undefined) return this.#positions.get(target)?.get(value) ?? `unknown ${target}`;
    if (/_group$|^can_create_groups$|^can_manage_all_groups$|^supergroup$|^subgroup$|^usergroup_ptr$/.test(key)) {
      return this.#group(value);
    }
    if (key === 'recipient') return this.#recipient(value);
    if (key === 'emoji_code' && row.reaction_type === 'realm_emoji')
      return this.#positions.get('realmemoji')?.get(Number(value));
    if (key === 'messages' || key === 'scheduled_messages') {
      const positions = this.#positions.get(key === 'messages' ? 'message' : 'scheduledmessage');
      return Array.isArray(value) ? value.map((id) => positions?.get(id)).sort() : value;
    }
    return typeof value === 'string' ? this.#text(key, value, row, table) : value;
  }

  #text(key: string, value: string, row: Row, table: string): unknown {
    if (key === 'fragment') return rewriteView(value, this.#ids);
    if (key === 'email') return value.replace(/^user\d+@/, 'user@');
    if (key === 'edit_history') {
      const edits: Row[] = JSON.parse(value);
      return edits.map((edit) => this.#edit(edit));
    }
    if (table === 'customprofilefieldvalue' && value.startsWith('[')) {
      return JSON.parse(value).map((id: number) => this.#ids.user(id));
    }
    if (table === 'submessage') return rewriteSubmessage(value, this.#ids);
    const html = row.rendered_content ?? row.prev_rendered_content;
    return this.#withNames(rewriteText(value, this.#ids, typeof html === 'string' ? html : undefined));
  }

  /** Names people in mentions by their position, whether the mention has an id or a name that one person has. */
  #withNames(text: string): string {
    return text.replace(/@(_?)\*\*([^*|\n]+)(?:\|(\d+))?\*\*/g, (mention, silent, name, position) => {
      const same = position === undefined ? this.#people.get(name) : [Number(position)];
      return same?.length === 1 ? `@${silent}**person ${same[0]}**` : mention;
    });
  }

  #edit(edit: Row): Row {
    const {user_id, prev_stream, stream, ...rest} = edit;
    const channels =
      prev_stream === undefined
        ? {}
        : {prev: this.#ids.channel(Number(prev_stream)), now: this.#ids.channel(Number(stream))};
    return {...this.#object(rest, 'edit'), user: this.#ids.user(Number(user_id)), ...channels};
  }

  /** Returns the name of a group or, of an unnamed one, its members. */
  #group(id: unknown): unknown {
    const named = this.data.rows('namedusergroup').find((row) => row.id === id);
    if (named !== undefined) return named.name;
    const members = this.data.rows('usergroupmembership').filter(({user_group}) => user_group === id);
    const subgroups = this.data.rows('groupgroupmembership').filter(({supergroup}) => supergroup === id);
    return {
      members: members.map(({user_profile}) => this.#ids.user(Number(user_profile))).sort(),
      subgroups: subgroups.map(({subgroup}) => this.#group(subgroup)).sort(),
    };
  }

  #recipient(id: unknown): unknown {
    const recipient = this.data.recipient(id);
    if (recipient?.type === 2) return {channel: this.#ids.channel(Number(recipient.type_id))};
    return {
      people: this.data
        .participants(id)
        .map((user) => this.#ids.user(Number(user)))
        .sort(),
    };
  }
}
