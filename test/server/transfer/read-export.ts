import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {recordRules} from './export-tables.ts';

export type Row = Readonly<Record<string, unknown>>;

interface MessageFile {
  readonly name: string;
  readonly messages: readonly Row[];
  readonly userMessages: readonly Row[];
  readonly originals: readonly Row[];
}

/** An unpacked export, read whole. */
export interface ReadExport {
  readonly directory: string;
  readonly version: Row;
  readonly importSource: unknown;
  readonly tables: ReadonlyMap<string, readonly Row[]>;
  /** The rows of a table as they were, where ids in them are those of another server. */
  original(table: string): readonly Row[];
  readonly messageFiles: readonly MessageFile[];
  readonly folders: readonly string[];
  /** Returns the rows of a table, without `zerver_` in its name. */
  rows(table: string): readonly Row[];
  /** Returns whether a row with this id exists; `user` stands for all accounts. */
  has(table: string, id: unknown): boolean;
  recipient(id: unknown): Row | undefined;
  /** Returns the people who are subscribed to a recipient. */
  participants(recipientId: unknown): readonly unknown[];
  records(folder: string): readonly Row[];
}

export function readExport(directory: string): ReadExport {
  const read = (path: string) => JSON.parse(readFileSync(join(directory, path), 'utf8'));
  const messageFiles: MessageFile[] = readdirSync(directory)
    .filter((name) => name.startsWith('messages-'))
    .sort()
    .map((name) => {
      const {zerver_message: messages, zerver_usermessage: userMessages, parley_message: originals = []} = read(name);
      return {name, messages, userMessages, originals};
    });
  const {import_source: importSource, ...realm} = read('realm.json');
  const lists = Object.entries<Row[]>({...realm, ...read('attachment.json')});
  const named = (prefix: string) =>
    new Map<string, readonly Row[]>(
      lists.filter(([name]) => name.startsWith(prefix)).map(([name, rows]) => [name.slice(prefix.length), rows]),
    );
  const [tables, originals] = [named('zerver_'), named('parley_')];
  originals.set(
    'message',
    messageFiles.flatMap((file) => file.originals),
  );
  tables.set(
    'message',
    messageFiles.flatMap(({messages}) => messages),
  );
  tables.set(
    'usermessage',
    messageFiles.flatMap(({userMessages}) => userMessages),
  );
  const rows = (table: string) => tables.get(table) ?? [];
  const ids = new Map([...tables].map(([name, list]) => [name, new Set(list.map(({id}) => id))]));
  const accounts = ['userprofile', 'userprofile_mirrordummy', 'userprofile_crossrealm'];
  ids.set('user', new Set(accounts.flatMap((table) => rows(table).map(({id}) => id))));
  const recipients = new Map(rows('recipient').map((row) => [row.id, row]));
  const people = Map.groupBy(rows('subscription'), (row) => row.recipient);
  const folders = Object.keys(recordRules).filter((folder) => existsSync(join(directory, folder)));
  const records = new Map(folders.map((folder) => [folder, read(join(folder, 'records.json')) as Row[]]));
  const original = (table: string) => {
    const left = new Map((originals.get(table) ?? []).map((row) => [row.id, row]));
    const changed = rows(table).map((row) => {
      const own = {...row, ...left.get(row.id)};
      left.delete(row.id);
      return own;
    });
    return [...changed, ...left.values()];
  };
  return {
    directory,
    version: read('migration_status.json'),
    importSource,
    tables,
    original,
    messageFiles,
    folders,
    rows,
    has: (table, id) => ids.get(table)?.has(id) === true,
    recipient: (id) => recipients.get(id),
    participants: (id) => (people.get(id) ?? []).map((row) => row.user_profile),
    records: (folder) => records.get(folder) ?? [],
  };
}

/** Returns the directory of an export, which is one or an archive that is unpacked into the empty directory `scratch`. */
export function unpackedExport(path: string, scratch: string): string {
  if (!path.endsWith('.gz')) return path;
  execFileSync('tar', ['xf', path, '-C', scratch]);
  return join(scratch, readdirSync(scratch)[0] ?? '');
}
