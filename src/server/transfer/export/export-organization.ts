import {createReadStream, createWriteStream, existsSync} from 'node:fs';
import {opendir, rename, rm, stat, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {fillDirectory, type OnUnfinished} from '#server/backup/unfinished-directory.ts';
import type {ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {firstMessageIdSince} from '#server/db/messages.ts';
import {ExportContext, type ExportScope, type ExportTable, JsonFile, tableRows} from './export-context.ts';
import {type FileCounts, findAnimatedEmoji, type MessageCounts, writeFiles, writeMessages} from './export-messages.ts';
import {organizationTables} from './organization-tables.ts';
import {conversationTables, peopleTables} from './people-tables.ts';
import type {TargetIds} from './target-ids.ts';

export interface ExportOptions {
  /** The directory to write; the archive is beside it, with `.tar.gz`. Neither may exist. */
  readonly output: string;
  /** The version of the Zulip server that will read it. */
  readonly zulipVersion: string;
  /** What the export contains: everything if undefined. */
  readonly scope?: ExportScope;
  /** The age in days up to which every receiver of a channel message is named; undefined for all. */
  readonly receivedDays?: number | undefined;
  /** The next ids of the Zulip server that will read it, if they are known. */
  readonly targetIds?: TargetIds | undefined;
  readonly onProgress?: (text: string) => void;
  readonly onUnfinished?: OnUnfinished;
  readonly signal?: AbortSignal;
}

export interface ExportSummary extends MessageCounts {
  readonly files: FileCounts;
  /** What could not be exported as it is, and how often. */
  readonly changes: ReadonlyMap<string, number>;
  /** The ids that the messages will have on the other server, and how to see it there; undefined if they are not known. */
  readonly futureMessages?: {readonly first: number; readonly last: number; readonly query: string};
}

/** The output of an export exists already. */
export class OutputExists extends Error {
  override readonly name = 'OutputExists';
}

const archiveOf = (output: string) => `${output}.tar.gz`;

/** Throws if the directory or the archive of an export exists already. */
export function checkOutput(output: string): void {
  for (const path of [output, archiveOf(output)])
    if (existsSync(path)) throw new OutputExists(`${path} exists already.`);
}

const exportTables: readonly ExportTable[] = [...organizationTables, ...peopleTables, ...conversationTables];

/** Writes the organization in the format of Zulip's data exports. A directory or archive with the given name is complete. */
export async function exportOrganization(server: ServerContext, options: ExportOptions): Promise<ExportSummary> {
  const {output, onProgress, onUnfinished = () => {}, signal} = options;
  checkOutput(output);
  const body = async (unfinished: string) => {
    const summary = await writeDirectory(server, unfinished, options);
    onProgress?.('Writing the archive');
    const archive = archiveOf(output);
    const unfinishedArchive = `${archive}.${process.pid}.partial`;
    try {
      await writeTarGz(unfinished, basename(output), unfinishedArchive, signal);
      await rename(unfinishedArchive, archive);
    } finally {
      await rm(unfinishedArchive, {force: true});
    }
    return summary;
  };
  return fillDirectory(output, `${basename(output)}.`, body, onUnfinished);
}

async function writeDirectory(
  server: ServerContext,
  directory: string,
  options: ExportOptions,
): Promise<ExportSummary> {
  const {zulipVersion, scope = 'everything', receivedDays, targetIds, onProgress = () => {}, signal} = options;
  const context = new ExportContext(server, scope, targetIds);
  await writeFile(
    join(directory, 'migration_status.json'),
    JSON.stringify({zulip_version: zulipVersion, migrations_by_app: {}}),
    {mode: 0o600},
  );
  await findAnimatedEmoji(context);
  return withViews(context, async () => {
    await writeTables(context, directory, (name) => {
      signal?.throwIfAborted();
      onProgress(`Writing ${name}`);
    });
    const total = server.db.value('SELECT COUNT(*) FROM exported_message') ?? 0;
    const completeFrom =
      receivedDays === undefined ? 0 : firstMessageIdSince(server.db, context.now - receivedDays * 86_400);
    const counts = await writeMessages(context, directory, completeFrom, ({messages}) => {
      signal?.throwIfAborted();
      onProgress(`Writing messages: ${messages} of ${total}`);
    });
    onProgress('Copying files');
    const files = await writeFiles(context, directory);
    return {...counts, files, changes: context.changes, ...futureMessages(counts, targetIds)};
  });
}

function futureMessages({messages}: MessageCounts, target: TargetIds | undefined) {
  if (target === undefined || messages === 0) return {};
  const query = `select min(id), max(id) from zulip.zerver_message where realm_id = ${target.realm}`;
  return {futureMessages: {first: target.message, last: target.message + messages - 1, query}};
}

/**
 * The channels with messages that are exported, if not everything is: public ones and, of private ones, those of the
 * people who agreed. They received only a part of the messages if the channel does not show new subscribers its history.
 */
const exportedChannels = `
  SELECT c.id, c.invite_only = 1 AND c.history_public_to_subscribers = 0 AS is_partial FROM main.channel AS c
  WHERE c.invite_only = 0 OR c.id IN (SELECT channel_id FROM main.subscription WHERE user_id IN consenting)`;
const isReceived = `
  EXISTS (SELECT 1 FROM main.user_message WHERE message_id = m.id AND user_id IN consenting)
  OR EXISTS (SELECT 1 FROM main.subscription_period AS p WHERE p.channel_id = m.channel_id AND p.user_id IN consenting
    AND p.since_id <= m.id AND (p.until_id IS NULL OR p.until_id > m.id))`;

/** Runs `task` with views of the messages and direct conversations that are exported. */
async function withViews<T>({server, consenting, target}: ExportContext, task: () => Promise<T>): Promise<T> {
  const {db} = server;
  const conversations = 'WHERE id IN (SELECT dm_id FROM main.dm_member WHERE user_id IN consenting)';
  const messages = `LEFT JOIN (${exportedChannels}) AS c ON c.id = m.channel_id
    WHERE m.dm_id IN (SELECT id FROM exported_dm) OR (c.id IS NOT NULL AND (NOT c.is_partial OR ${isReceived}))`;
  db.exec(`
    CREATE TEMP TABLE consenting (user_id INTEGER PRIMARY KEY);
    CREATE TEMP VIEW exported_dm AS SELECT * FROM main.dm ${consenting === undefined ? '' : conversations};
    CREATE TEMP VIEW exported_message AS SELECT m.* FROM main.message AS m ${consenting === undefined ? '' : messages};
    CREATE TEMP TABLE exported_position (id INTEGER PRIMARY KEY, position INTEGER NOT NULL);
  `);
  for (const id of consenting ?? []) db.run('INSERT INTO consenting VALUES (?)', id);
  const positions = 'SELECT id, row_number() OVER (ORDER BY id) - 1 FROM exported_message';
  if (target !== undefined) db.exec(`INSERT INTO exported_position ${positions}`);
  try {
    return await task();
  } finally {
    db.exec('DROP VIEW exported_message; DROP VIEW exported_dm; DROP TABLE consenting; DROP TABLE exported_position');
  }
}

async function writeTables(context: ExportContext, directory: string, onTable: (name: string) => void): Promise<void> {
  const file = await JsonFile.create(join(directory, 'realm.json'));
  for (const table of exportTables) {
    if (table.isNeeded?.(context) === false) continue;
    onTable(table.name);
    await file.addTable(table.name, tableRows(table, context));
  }
  // With another source, the server would send its words of welcome to everybody.
  await file.close({import_source: 'zulip'});
}

const blockSize = 512;
/** More compression takes several times as long and saves little of JSON. */
const gzipLevel = 4;

/** Writes a directory as a compressed tar archive, in which it is the only top directory. */
async function writeTarGz(directory: string, topName: string, archive: string, signal?: AbortSignal): Promise<void> {
  await pipeline(
    () => tarBlocks(directory, topName),
    createGzip({level: gzipLevel}),
    createWriteStream(archive, {flags: 'wx', mode: 0o600}),
    ...(signal === undefined ? [] : [{signal}]),
  );
}

async function* tarBlocks(directory: string, topName: string): AsyncGenerator<Buffer> {
  for await (const path of filesBelow(directory)) {
    const {size} = await stat(path);
    yield* header(topName + path.slice(directory.length), size);
    for await (const chunk of createReadStream(path, {highWaterMark: 1 << 18})) yield chunk;
    yield padding(size);
  }
  yield Buffer.alloc(2 * blockSize);
}

async function* filesBelow(directory: string): AsyncGenerator<string> {
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** The header of a file; a name or size that does not fit into it is in a record (pax) before it. */
function* header(name: string, size: number): Generator<Buffer> {
  const fits = Buffer.byteLength(name) <= 100 && /^[\x20-\x7e]*$/.test(name) && size < 8 ** 11;
  if (!fits) {
    const records = Buffer.from(paxRecord('path', name) + paxRecord('size', String(size)));
    yield headerBlock('PaxHeader', records.length, 'x');
    yield records;
    yield padding(records.length);
  }
  yield headerBlock(fits ? name : 'file', fits ? size : Math.min(size, 8 ** 11 - 1), '0');
}

/** A record begins with its own length in bytes. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  length = bytes + String(length).length;
  return `${length}${rest}`;
}

function headerBlock(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(`        ${type}`, 148, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  block.writeUInt8(0, 154);
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}

/** A number of things, in words. */
export interface ReportLine {
  readonly text: string;
  readonly count: number;
}

/** What is counted, in the singular. */
const countsOf: Readonly<Record<string, string>> = {
  user: 'SELECT COUNT(*) FROM user WHERE is_system_bot = 0',
  channel: 'SELECT COUNT(*) FROM channel',
  message: 'SELECT COUNT(*) FROM message',
  'private message': `SELECT COUNT(*) FROM message AS m LEFT JOIN channel AS c ON c.id = m.channel_id
    WHERE m.dm_id IS NOT NULL OR c.invite_only = 1`,
};

/** What the format cannot carry, or no server takes over. */
const leftOut: Readonly<Record<string, string>> = {
  'passwords: people set new ones': 'SELECT COUNT(*) FROM user WHERE password_hash IS NOT NULL',
  'API keys: people and bots get new ones': 'SELECT COUNT(*) FROM user WHERE is_system_bot = 0',
  drafts: 'SELECT COUNT(*) FROM draft',
  invitations: 'SELECT COUNT(*) FROM invite',
  'reports of messages': 'SELECT COUNT(*) FROM report',
  'groups of default channels': 'SELECT COUNT(*) FROM default_channel_group',
  'devices of mobile apps': 'SELECT COUNT(*) FROM push_token',
  'uploaded files that no message links to': `SELECT COUNT(*) FROM attachment AS a
    WHERE NOT EXISTS (SELECT 1 FROM attachment_message WHERE attachment_id = a.id)
      AND NOT EXISTS (SELECT 1 FROM scheduled_message WHERE instr(content, a.path_id))`,
};

function lines(db: Database, table: Readonly<Record<string, string>>): ReportLine[] {
  return Object.entries(table).map(([text, sql]) => ({text, count: db.value(sql) ?? 0}));
}

/** Counts what an organization has, and which of it is private. */
export function organizationCounts(db: Database): ReportLine[] {
  return lines(db, countsOf);
}

/** Counts what an export does not carry. */
export function leftOutCounts(db: Database): ReportLine[] {
  return lines(db, leftOut).filter(({count}) => count > 0);
}

/** Returns about how many rows say who received which channel message. */
export function receivedEstimate(db: Database): number {
  const sql = `SELECT COALESCE(SUM(messages * people), 0) FROM (
    SELECT (SELECT COUNT(*) FROM message WHERE channel_id = c.id) AS messages,
      (SELECT COUNT(*) FROM subscription_period WHERE channel_id = c.id) AS people
    FROM channel AS c)`;
  return db.value(sql) ?? 0;
}
