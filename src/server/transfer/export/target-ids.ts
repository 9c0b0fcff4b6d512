import {encodeNarrowOperand} from '#content/narrow-link.ts';
import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {Loss, NewIds} from '#server/transfer/references.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {exportedPath} from './exported-path.ts';

/** The tables whose rows are named by their ids in texts. */
const tables = ['message', 'stream', 'userprofile', 'usergroup', 'realm'] as const;

/** The ids that a Zulip server gives to the next rows of its tables: an import gives them in the order of the old ids. */
export type TargetIds = Readonly<Record<(typeof tables)[number], number>>;

const keyOf = (table: string) => `zerver_${table}_id_seq`;

/** Reads the next values of a Zulip server's sequences, a JSON object; returns what is wrong with the text if it is none. */
export function parseTargetIds(text: string): TargetIds | string {
  const values = parsedJson(text);
  if (values === undefined) return 'is not JSON';
  if (!isRecord(values)) return 'is not a JSON object';
  const missing = tables.map(keyOf).filter((key) => !Object.hasOwn(values, key));
  if (missing.length === tables.length) return 'has no ids of the tables of a Zulip server';
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  const wrong = tables.map(keyOf).find((key) => !(Number.isSafeInteger(values[key]) && Number(values[key]) > 0));
  if (wrong !== undefined) return `has ${JSON.stringify(values[wrong])} for ${wrong}, not a whole number above 0`;
  return Object.fromEntries(tables.map((table) => [table, values[keyOf(table)]])) as TargetIds;
}

/** The ids of an organization as they are, and the paths of its files in an export. Links to its own address become relative. */
export function ownIds({db, url}: ServerContext): NewIds {
  const same = (id: number) => id;
  const {host, pathname = '/'} = URL.parse(url) ?? {};
  const isFile = (path: string) => db.has('attachment', {path_id: path});
  return {
    user: same,
    group: same,
    channel: same,
    message: same,
    upload: (path) => (isFile(path) ? exportedPath(path) : undefined),
    emoji: (file) => `1/emoji/images/${file}`,
    isOwnHost: (site) => site === host,
    basePath: pathname.replace(/\/$/, ''),
  };
}

/**
 * The ids that an organization will have on a Zulip server. Without `target` they are not known, and channels and people are
 * named instead. Needs the view of the exported messages and, with `target`, their positions.
 */
export function futureIds(server: ServerContext, target: TargetIds | undefined, onLoss: (loss: Loss) => void): NewIds {
  const {db} = server;
  const numbered = (start: number | undefined, rows: string) => {
    const ids = start === undefined ? [] : db.pluck(`SELECT id FROM ${rows} ORDER BY id`);
    const future = new Map(ids.map((id, at) => [id, Number(start) + at]));
    return (id: number) => future.get(id);
  };
  const channels = numbered(target?.stream, 'channel');
  const channelName = (id: number) => {
    const name = db.value<string>('SELECT name FROM channel WHERE id = ?', id);
    // A number at the start would be read as an id.
    return name === undefined || /^\d+(?:-|$)/.test(name) ? undefined : name;
  };
  return {
    ...ownIds(server),
    user: numbered(target?.userprofile, 'user WHERE is_system_bot = 0'),
    group: numbered(target?.usergroup, 'user_group'),
    channel: target === undefined ? channelName : channels,
    message: (id) => {
      if (target === undefined) return undefined;
      const position = db.value('SELECT position FROM exported_position WHERE id = ?', id);
      return position === undefined ? undefined : target.message + position;
    },
    emoji: (file) => (target === undefined ? undefined : `${target.realm}/emoji/images/${file}`),
    topicOf: (id) => {
      const sql = 'SELECT channel_id, topic FROM exported_message WHERE id = ? AND channel_id IS NOT NULL';
      const message = target === undefined ? db.get<{channel_id: number; topic: string}>(sql, id) : undefined;
      const name = message === undefined ? undefined : channelName(message.channel_id);
      if (message === undefined || name === undefined) return undefined;
      return `/channel/${encodeNarrowOperand(name)}/topic/${encodeNarrowOperand(message.topic)}`;
    },
    isUniqueName: (id, name) => {
      const user = findUser(db, id);
      if (user?.full_name !== name || user.is_system_bot === 1) return false;
      return db.value('SELECT COUNT(*) FROM user WHERE name_key = ?', fold(name)) === 1;
    },
    onLoss,
  };
}
