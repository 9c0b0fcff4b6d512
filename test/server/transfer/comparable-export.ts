import {userSettingDefaults} from '#server/accounts/user-settings.ts';
import {type NewIds, rewriteNarrow, rewriteText} from '#server/transfer/import/rewrite-text.ts';
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
  'id',
  'uuid',
  'rendered_content',
  'prev_rendered_content',
  'file_name',
  'path_id',
  'huddle_hash',
]);
const ignoredTables = new Set(['usergroup', 'recipient', 'huddle', 'presencesequence']);

/**
 * Returns the tables of an export in a form that does not depend on ids: a reference is the position of the row that it
 * names, and a path the name of the file.
 */
export function comparableExport(directory: string): ReadonlyMap<string, readonly string[]> {
  const names = new ExportNames(readExport(directory));
  const tables = [...names.data.tables].filter(([table]) => !ignoredTables.has(table));
  return new Map(tables.map(([table, rows]) => [table, rows.flatMap((row) => names.comparable(table, row)).sort()]));
}

/** Names the rows of one export without their ids. */
class ExportNames {
  readonly data: ReadExport;
  readonly #positions: ReadonlyMap<string, ReadonlyMap<unknown, number>>;
  readonly #files: ReadonlyMap<unknown, unknown>;
  readonly #ids: NewIds;

  constructor(data: ReadExport) {
    this.data = data;
    const accounts = ['userprofile_crossrealm', 'userprofile', 'userprofile_mirrordummy'];
    const tables = new Map(data.tables).set(
      'user',
      accounts.flatMap((table) => data.rows(table)),
    );
    this.#positions = new Map([...tables].map(([table, rows]) => [table, new Map(rows.map(({id}, at) => [id, at]))]));
    this.#files = new Map(data.rows('attachment').map(({path_id, file_name}) => [path_id, file_name]));
    const position = (table: string) => (id: number) => this.#positions.get(table)?.get(id);
    this.#ids = {
      user: position('user'),
      channel: position('stream'),
      message: position('message'),
      upload: (path) => this.#files.get(path)?.toString(),
    };
  }

  comparable(table: string, row: Row): string[] {
    // Who is in an unnamed group is compared where the group is used.
    const group = row.user_group ?? row.supergroup;
    if (group !== undefined && typeof this.#group(group) !== 'string') return [];
    return [JSON.stringify(this.#object(row, table))];
  }

  #object(row: Row, table: string): Record<string, unknown> {
    // A setting that is stored although it is the default means the same as none.
    const entries = Object.entries(row).filter(
      ([key, value]) => !ignoredKeys.has(key) && value !== Reflect.get(userSettingDefaults, key),
    );
    return Object.fromEntries(entries.sort().map(([key, value]) => [key, this.#value(key, value, row, table)]));
  }

  #value(key: string, value: unknown, row: Row, table: string): unknown {
    if (value === null) return null;
    const target = /_announcements_stream$/.test(key) ? 'stream' : targets[key];
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
    return typeof value === 'string' ? this.#text(key, value, table) : value;
  }

  #text(key: string, value: string, table: string): unknown {
    if (key === 'fragment') return rewriteNarrow(value, this.#ids);
    if (key === 'email') return value.replace(/^user\d+@/, 'user@');
    if (key === 'edit_history') {
      const edits: Row[] = JSON.parse(value);
      return edits.map((edit) => this.#edit(edit));
    }
    if (table === 'customprofilefieldvalue' && value.startsWith('[')) {
      return JSON.parse(value).map((id: number) => this.#ids.user(id));
    }
    if (table === 'submessage') {
      return value.replace(/("key":\s*")(\d+)(?=,)/, (_all, before, id) => `${before}${this.#ids.user(Number(id))}`);
    }
    return rewriteText(value, this.#ids);
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
