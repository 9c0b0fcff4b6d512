import {closeSync, mkdirSync, openSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {dropIndexes, indexAllMessages} from '#server/db/bulk-load.ts';
import {Database} from '#server/db/database.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {required} from '#server/errors.ts';
import {bootstrapOrganization} from '#server/organization/bootstrap.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {type NewIds, OwnHosts, rewriteText} from '#server/transfer/references.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {ExportSource} from './export-source.ts';
import {IdMap, type ImportContext, ImportError, ImportReport} from './import-context.ts';
import {importAvatars, importEmoji, importOrganizationImages, importUploads, linkUploads} from './import-files.ts';
import {messageImporter, writePeriods} from './import-messages.ts';
import {importOrganization, importOrganizationObjects} from './import-organization.ts';
import {importBotDefaults, importChannels, importGroups, importPeople, importSubscriptions} from './import-people.ts';
import {
  importPersonalItems,
  importPresence,
  importProfiles,
  importReactions,
  importScheduled,
} from './import-personal.ts';

export interface ImportOptions {
  /** The archive, or the directory of an unpacked one. */
  readonly path: string;
  /** The file of the new database. */
  readonly database: string;
  readonly files: FileStore;
  /** A directory for temporary files. */
  readonly workDirectory: string;
  /** The unpacked size above which the import stops. */
  readonly maxBytes: number;
  /** UNIX seconds. */
  readonly now: number;
  readonly onProgress: (text: string) => void;
  /** Stops the import between two files. */
  readonly signal?: AbortSignal;
}

/** Imports an export of a Zulip server, or of `parley serve export`, into a new database. All ids are new. */
export async function importExport(options: ImportOptions): Promise<ImportReport> {
  const {now, workDirectory} = options;
  mkdirSync(workDirectory, {mode: 0o700});
  // Private to its owner, as SQLite's other files are then.
  closeSync(openSync(options.database, 'wx', 0o600));
  const db = new Database(options.database);
  const temporaryFiles = process.env.SQLITE_TMPDIR;
  try {
    prepareDatabase(db, workDirectory);
    options.onProgress('Unpacking');
    const source = await ExportSource.open(options.path, db, join(workDirectory, 'unpacked'), options.maxBytes);
    const realm = required(source.tables('realm.json'), () => new ImportError('The export has no realm.json.'));
    const context: ImportContext = {
      db,
      files: options.files,
      source,
      realm,
      report: new ImportReport(),
      now,
      users: new IdMap('user'),
      groups: new IdMap('group'),
      folders: new IdMap('folder'),
      channels: new IdMap('channel'),
      emoji: new IdMap('emoji'),
      emojiFiles: new Map(),
      unnamedGroups: new Map(),
      clients: new Map(realm.rows('zerver_client').map((row) => [row.number('id'), row.text('name', 100)])),
    };
    checkExport(context);
    bootstrapOrganization(db, now);
    await importAll(context, options);
    return context.report;
  } finally {
    db.close();
    rmSync(workDirectory, {recursive: true, force: true});
    if (temporaryFiles === undefined) delete process.env.SQLITE_TMPDIR;
    else process.env.SQLITE_TMPDIR = temporaryFiles;
  }
}

/** Until the import is complete, nobody needs the files, and memory is not to grow with the organization. */
function prepareDatabase(db: Database, workDirectory: string): void {
  // SQLite puts the files for sorting there.
  process.env.SQLITE_TMPDIR = workDirectory;
  db.run('ATTACH DATABASE ? AS work', join(workDirectory, 'work.db'));
  db.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA work.synchronous = OFF;
    PRAGMA work.journal_mode = MEMORY;
    PRAGMA temp_store = FILE;
    PRAGMA mmap_size = 0;
    PRAGMA cache_size = -32768;
    PRAGMA work.cache_size = -32768;
  `);
}

async function importAll(context: ImportContext, {onProgress, signal}: ImportOptions): Promise<void> {
  const {db, source, realm, report} = context;
  const restoreIndexes = dropIndexes(db);
  onProgress('Importing people and channels');
  db.transaction(() => {
    importPeople(context);
    importGroups(context);
    importChannels(context);
    importOrganization(context);
    importBotDefaults(context);
    importSubscriptions(context);
    importOrganizationObjects(context);
  });
  await importEmoji(context);
  await importAvatars(context);
  await importOrganizationImages(context);
  await importUploads(context);
  const ids = newIds(context);
  const messages = messageImporter(context, ids);
  for (const file of source.messageFiles()) {
    onProgress(`Importing ${file}`);
    const tables = source.tables(file);
    if (tables !== undefined) messages.importFile(tables);
    // Lets a signal of the user arrive.
    await setImmediate();
    signal?.throwIfAborted();
  }
  onProgress('Importing reactions');
  db.transaction(() => {
    messages.finish();
    writePeriods(context, nextMessageId(db));
    linkUploads(context);
    importReactions(context, ids);
    importProfiles(context, ids);
    rewriteDescriptions(db, ids);
    importPersonalItems(context, ids);
    importPresence(context);
    importScheduled(context, ids);
    for (const [table, what] of Object.entries(leftOut)) report.leaveOut(what, realm.count(`zerver_${table}`));
    checkMessages(context);
    checkOwner(context);
  });
  onProgress('Building indexes');
  restoreIndexes();
  indexAllMessages(db);
  finish(db);
}

/** Rewrites the texts that are stored before the messages to which they may link. */
function rewriteDescriptions(db: Database, ids: NewIds): void {
  for (const table of ['channel', 'channel_folder', 'user_group', 'default_channel_group']) {
    const rows = db.all<{id: number; description: string}>(`SELECT id, description FROM ${table}`);
    for (const {id, description} of rows) db.updateRow(table, id, {description: rewriteText(description, ids)});
  }
  for (const name of ['description', 'welcome_message_custom_text']) {
    const text = db.value<string>(`SELECT value ->> '$' FROM realm_setting WHERE name = ?`, name);
    if (text !== undefined) db.replaceRow('realm_setting', {name, value: JSON.stringify(rewriteText(text, ids))});
  }
}

function newIds({db, realm, users, groups, channels, emojiFiles}: ImportContext): NewIds {
  // Only this program's exports name the address of the organization.
  const [address = ''] = realm.rows('zerver_realm').map((row) => row.optionalText('parley_url', 1000) ?? '');
  const url = URL.parse(address);
  return {
    user: (id) => users.get(id),
    group: (id) => groups.get(id),
    channel: (id) => channels.get(id),
    message: (id) => db.value('SELECT new FROM work.message WHERE old = ?', id),
    upload: (path) => db.value<string>('SELECT new_path FROM work.upload WHERE path = ?', path),
    emoji: (file) => emojiFiles.get(file),
    isOwnHost: new OwnHosts(url?.host ?? '').has,
    basePath: url?.pathname.replace(/\/$/, '') ?? '',
  };
}

/** Writes what is counted from other rows, and who gets a key when the server starts. */
function finish(db: Database): void {
  const select = 'SELECT id FROM user WHERE role = ? AND is_active = 1 AND is_bot = 0 ORDER BY id LIMIT 1';
  const owners = db.pluck(select, Role.owner);
  db.transaction(() => {
    db.exec(`
      UPDATE channel SET
        first_message_id = (SELECT MIN(id) FROM message WHERE channel_id = channel.id),
        last_message_at = (SELECT sent_at FROM message WHERE channel_id = channel.id ORDER BY id DESC LIMIT 1),
        subscriber_count = (SELECT COUNT(*) FROM subscription WHERE channel_id = channel.id AND active = 1);
      UPDATE user SET joined_at = (SELECT value FROM meta WHERE key = 'created_at') WHERE is_system_bot = 1;
    `);
    db.insertRow('meta', {key: 'world', value: 'empty'});
    db.insertRow('meta', {key: 'accounts', value: JSON.stringify(owners)});
  });
  db.exec('ANALYZE; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE);');
}

/** The versions of Zulip whose exports are known. */
const [oldestVersion, newestVersion] = [7, 12];
const maxVersionFileLength = 10_000_000;

/** Refuses an export that lacks what every export has, and notes an unknown version. */
function checkExport({source, realm, report}: ImportContext): void {
  const incomplete = (what: string): never => {
    throw new ImportError(`The export is incomplete: ${what}.`);
  };
  source.messageFiles();
  if (source.find('attachment.json') === undefined) incomplete('it has no attachment.json');
  if (realm.count('zerver_realm') === 0) incomplete('realm.json has no organization (zerver_realm)');
  const people = realm.rows('zerver_userprofile');
  if (!people.some((row) => row.value('role') === Role.owner)) incomplete('none of its people is an owner');
  const version = versionOf(source);
  // Servers before Zulip 10 write none.
  if (version === undefined) return;
  const major = Number.parseInt(version, 10);
  if (major >= oldestVersion && major <= newestVersion) return;
  const known = `Zulip ${oldestVersion} to ${newestVersion}`;
  report.doubts.push(
    `It is of Zulip “${version}”. This program knows the exports of ${known}: compare what was imported.`,
  );
}

function versionOf(source: ExportSource): string | undefined {
  const file = source.find('migration_status.json');
  if (file === undefined) return undefined;
  const status = file.size > maxVersionFileLength ? {} : parsedJson(readFileSync(file.location, 'utf8'));
  return isRecord(status) && typeof status.zulip_version === 'string' ? status.zulip_version : '';
}

/** Notes messages that other rows name and that are in no file. The messages of private channels may be left out. */
function checkMessages({db, source, realm, report}: ImportContext): void {
  const isMissing = (id: number | undefined) =>
    id !== undefined && db.get('SELECT 1 FROM work.message WHERE old = ?', id) === undefined;
  const channels = realm
    .rows('zerver_stream')
    .filter((row) => row.value('invite_only') !== true && isMissing(row.optionalNumber('first_message_id')))
    .reduce((count) => count + 1, 0);
  if (channels > 0)
    report.doubts.push(
      `The first messages of ${channels} public channels are missing: is there a file with messages less?`,
    );
  const files = (source.tables('attachment.json')?.rows('zerver_attachment') ?? [][Symbol.iterator]())
    .filter((row) => row.numbers('messages').some(isMissing))
    .reduce((count) => count + 1, 0);
  if (files > 0) report.doubts.push(`${files} files belong to messages that are missing.`);
}

/** Notes how the organization gets an owner who can log in. */
function checkOwner({db, report}: ImportContext): void {
  const owner = db.get<{delivery_email: string; is_active: number}>(
    'SELECT delivery_email, is_active FROM user WHERE role = ? AND is_bot = 0 ORDER BY is_active DESC, id LIMIT 1',
    Role.owner,
  );
  if (owner?.is_active === 0) report.inactiveOwner = owner.delivery_email;
}

/** The tables of an export that are not imported, with what they hold. Tables of no use after a move are not named. */
const leftOut: Readonly<Record<string, string>> = {
  realmauthenticationmethod: 'ways to log in: people log in with a password or an API key here',
  service: 'addresses of outgoing webhooks, which this server does not call',
  botconfigdata: 'configuration of bots, which this server does not keep',
  realmauditlog: 'entries of the log of changes',
  useractivity: 'records of activity, which this server does not keep',
  useractivityinterval: 'records of activity, which this server does not keep',
};
