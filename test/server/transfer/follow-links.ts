import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseNarrowLink} from '#content/narrow-link.ts';
import type {Database} from '#server/db/database.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import type {TargetIds} from '#server/transfer/export/target-ids.ts';
import type {ExportFiles} from './archive-fixture.ts';
import {oldSite} from './link-forms.ts';
import type {ReadExport, Row} from './read-export.ts';

/** What ids mean on one server, in words that are the same on every server. */
export interface Directory {
  user(id: number): string | undefined;
  group(id: number): string | undefined;
  channel(id: number): string | undefined;
  channelBySlug(slug: string): number | undefined;
  /** The position of a message among all. */
  message(id: number): number | undefined;
}

/** Returns where the links and mentions of HTML lead. */
export function destinations(html: string, directory: Directory): string[] {
  const tags = html.matchAll(/<(?:a|span) [^>]*(?:href|data-user-id|data-user-group-id)="[^>]*>|<img [^>]*src=[^>]*>/g);
  return [...tags].map(([tag]) => {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const [user, group, stream] = ['user', 'user-group', 'stream'].map((kind) => attribute(`data-${kind}-id`));
    if (user !== undefined) return `mentions ${user === '*' ? 'all' : directory.user(Number(user))}`;
    if (group !== undefined) return `mentions ${directory.group(Number(group))}`;
    const place = destination(attribute('href') ?? attribute('src') ?? '', directory);
    if (stream === undefined) return place;
    // A link to a topic names its newest message.
    const named = place.startsWith(`channel ${directory.channel(Number(stream))}`);
    return named ? place.replace(/, with \d+$/, '') : `${place}, but ${stream}`;
  });
}

/** Returns where an address leads. */
export function destination(href: string, directory: Directory): string {
  const path = href.replace(new RegExp(`^https?://${oldSite}(?=[/#]|$)`, 'i'), '').replace(/^\/?(?=#)/, '');
  if (/^https?:/.test(path)) return `site ${path}`;
  const [, page = '', id] = /^#(user|groups|channels|streams)\/(\d+)/.exec(path) ?? [];
  if (page === 'user') return `person ${directory.user(Number(id))}`;
  if (page === 'groups') return `group ${directory.group(Number(id))}`;
  if (page !== '') return `settings of ${directory.channel(Number(id))}`;
  const file = /^\/?user_uploads\/.*\/([^/]+)$/.exec(path)?.[1];
  if (file !== undefined) return `file ${file}`;
  const terms = parseNarrowLink(path, directory.channelBySlug);
  if (terms === undefined) return `page ${path || '/'}`;
  return terms
    .map(
      ({operator, operand, negated}) => `${negated ? 'not ' : ''}${operator} ${meaning(operator, operand, directory)}`,
    )
    .join(', ');
}

function meaning(operator: string, operand: unknown, directory: Directory): unknown {
  if (operator === 'channel') return directory.channel(Number(operand));
  if (['near', 'with', 'id'].includes(operator)) return directory.message(Number(operand));
  if (!['dm', 'dm-including', 'sender', 'mentions'].includes(operator)) return operand;
  return [operand].flat().map((id) => directory.user(Number(id)));
}

export function databaseDirectory(db: Database): Directory {
  const positions = new Map(db.pluck('SELECT id FROM message ORDER BY id').map((id, at) => [id, at]));
  const value = (sql: string) => (id: number) => db.value<string>(sql, id);
  return {
    user: value('SELECT delivery_email FROM user WHERE id = ?'),
    group: value('SELECT name FROM user_group WHERE id = ?'),
    channel: value('SELECT name FROM channel WHERE id = ?'),
    channelBySlug: (slug) => db.value('SELECT id FROM channel WHERE name = ?', slug),
    message: (id) => positions.get(id),
  };
}

/**
 * An organization as the importer of a Zulip server makes it from an export: rows get the next ids in the order of their
 * old ones, and in HTML the ids of mentions and of links to channels are replaced. Texts without HTML are rendered.
 */
export function importedOrganization(data: ReadExport, start: TargetIds) {
  const inOrder = (table: string) => data.rows(table).toSorted((a, b) => Number(a.id) - Number(b.id));
  const numbered = (table: keyof TargetIds) => new Map(inOrder(table).map((row, at) => [start[table] + at, row]));
  const [users, groups, channels, messages] = [
    numbered('userprofile'),
    numbered('usergroup'),
    numbered('stream'),
    numbered('message'),
  ];
  const newIdOf = (rows: ReadonlyMap<number, Row>) => {
    const ids = new Map([...rows].map(([id, row]) => [row.id, id]));
    return (old: unknown) => ids.get(Number(old));
  };
  const named = new Map(data.rows('namedusergroup').map((row) => [row.id, String(row.name)]));
  const directory: Directory = {
    user: (id) => users.get(id)?.delivery_email?.toString(),
    group: (id) => named.get(groups.get(id)?.id),
    channel: (id) => channels.get(id)?.name?.toString(),
    channelBySlug: (slug) => find(channels, ({name}) => name === slug),
    message: (id) => (messages.has(id) ? id - start.message : undefined),
  };
  const user = (id: number | undefined) => {
    const row = users.get(id ?? 0);
    return id === undefined || row === undefined
      ? undefined
      : {id, fullName: String(row.full_name), isActive: row.is_active === true};
  };
  const render = (text: unknown) =>
    renderMarkdown(String(text), {
      userById: user,
      userByName: (name) => user(find(users, ({full_name}) => full_name === name)),
      groupByName: (name) => {
        const id = find(groups, (row) => named.get(row.id) === name);
        return id === undefined ? undefined : {id, name, isSystem: false, isActive: true};
      },
      channelByName: (name) => {
        const id = find(channels, (row) => row.name === name);
        return id === undefined ? undefined : {id};
      },
      topicAnchor: (channel, topic) => {
        const recipient = data
          .rows('recipient')
          .find((row) => row.type === 2 && row.type_id === channels.get(channel)?.id);
        return [...messages].findLast(([, row]) => row.recipient === recipient?.id && row.subject === topic)?.[0];
      },
      uploadKind: (path) => (/png$/.test(path) ? 'image' : 'file'),
      uploadedImage: (path) =>
        /png$/.test(path) ? {src: path, width: 1, height: 1, contentType: 'image/png'} : undefined,
    }).html;
  const renumbered: readonly [RegExp, (old: unknown) => number | undefined][] = [
    [/(?<=<span class="user-mention[^>]*data-user-id=")\d+/g, newIdOf(users)],
    [/(?<=<span class="user-group-mention[^>]*data-user-group-id=")\d+/g, newIdOf(groups)],
    [/(?<=<a class="stream" data-stream-id=")\d+/g, newIdOf(channels)],
  ];
  /** The HTML of a text: rendered, or the given one with new ids. */
  const htmlOf = (text: unknown, given: unknown) =>
    typeof given === 'string'
      ? renumbered.reduce((html, [pattern, idOf]) => html.replace(pattern, (old) => String(idOf(old) ?? old)), given)
      : render(text);
  const ids = {
    userprofile: newIdOf(users),
    usergroup: newIdOf(groups),
    stream: newIdOf(channels),
    message: newIdOf(messages),
  };
  const newId = (table: string, old: unknown) => Object.entries(ids).find(([name]) => name === table)?.[1](old);
  return {directory, render, htmlOf, newId};
}

function find(rows: ReadonlyMap<number, Row>, matches: (row: Row) => boolean): number | undefined {
  return [...rows].findLast(([, row]) => matches(row))?.[0];
}

/** The tables to which columns refer, besides those whose names end in `_group`. */
const references: Readonly<Record<string, keyof TargetIds>> = {
  ...Object.fromEntries(
    ['sender', 'user_profile', 'user', 'owner', 'author', 'creator', 'bot_owner', 'user_id', 'user_profile_id'].map(
      (column) => [column, 'userprofile'],
    ),
  ),
  stream: 'stream',
  message: 'message',
  messages: 'message',
  supergroup: 'usergroup',
  subgroup: 'usergroup',
  usergroup_ptr: 'usergroup',
};

/**
 * Turns an export into the one that a Zulip server makes after it imported it: with that server's ids and its HTML, and
 * without what only this program reads. Ids in texts stay.
 */
export function exportOfImported(data: ReadExport, start: TargetIds): ExportFiles {
  const {htmlOf, newId} = importedOrganization(data, start);
  const idTables: Readonly<Record<string, keyof TargetIds>> = {namedusergroup: 'usergroup'};
  const newRow = (table: string, row: Row): Row => {
    const columns = Object.entries(row).map(([column, value]) => {
      const isGroup = /_group$|^can_create_groups$|^can_manage_all_groups$/.test(column);
      const own = column === 'id' ? (idTables[table] ?? table) : undefined;
      const target = own ?? (isGroup ? 'usergroup' : references[column]);
      const changed = (id: unknown) =>
        target === undefined || typeof id !== 'number' ? id : (newId(target, id) ?? id);
      return [column, Array.isArray(value) ? value.map(changed) : changed(value)];
    });
    const changed = Object.fromEntries(columns);
    return table === 'recipient' && row.type === 2 ? {...changed, type_id: newId('stream', row.type_id)} : changed;
  };
  const messages = data.rows('message').map((row) => ({
    ...newRow('message', row),
    rendered_content: htmlOf(row.content, row.rendered_content),
    rendered_content_version: 1,
    edit_history:
      row.edit_history === null
        ? null
        : JSON.stringify(
            JSON.parse(String(row.edit_history)).map((edit: Row) => ({
              ...edit,
              user_id: newId('userprofile', edit.user_id),
              ...(edit.prev_content === undefined
                ? {}
                : {prev_rendered_content: htmlOf('', edit.prev_rendered_content)}),
            })),
          ),
  }));
  const files = directoryFiles(data.directory);
  const list = (table: string) => data.rows(table).map((row) => newRow(table, row));
  const inFiles = ['message', 'usermessage', 'attachment'];
  const tables = [...data.tables.keys()].filter((table) => !inFiles.includes(table));
  const write = (path: string, value: unknown) => files.set(path, Buffer.from(JSON.stringify(value)));
  write('realm.json', Object.fromEntries(tables.map((table) => [`zerver_${table}`, list(table)])));
  write('attachment.json', {zerver_attachment: list('attachment')});
  write('messages-000001.json', {zerver_message: messages, zerver_usermessage: list('usermessage')});
  return files;
}

function directoryFiles(directory: string): ExportFiles {
  const entries = readdirSync(directory, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({parentPath, name}) => {
      const path = join(parentPath, name);
      return [path.slice(directory.length + 1), readFileSync(path)];
    }),
  );
}
