import {readFileSync} from 'node:fs';
import {Role} from '#server/permissions/system-groups.ts';
import type {ExportSource} from './export-source.ts';
import type {ImportContext} from './import-context.ts';
import {ImportError} from './import-error.ts';
import {isRecord} from './row.ts';

/** The versions of Zulip whose exports are known. */
const [oldestVersion, newestVersion] = [7, 12];
const maxVersionFileLength = 10_000_000;

/** Refuses an export that lacks what every export has, and notes an unknown version. */
export function checkExport({source, realm, report}: ImportContext): void {
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
  try {
    const status: unknown = file.size > maxVersionFileLength ? {} : JSON.parse(readFileSync(file.location, 'utf8'));
    return isRecord(status) && typeof status.zulip_version === 'string' ? status.zulip_version : '';
  } catch {
    return '';
  }
}

/** Notes messages that other rows name and that are in no file. The messages of private channels may be left out. */
export function checkMessages({db, source, realm, report}: ImportContext): void {
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
export function checkOwner({db, report}: ImportContext): void {
  const owner = db.get<{delivery_email: string; is_active: number}>(
    'SELECT delivery_email, is_active FROM user WHERE role = ? AND is_bot = 0 ORDER BY is_active DESC, id LIMIT 1',
    Role.owner,
  );
  if (owner?.is_active === 0) report.inactiveOwner = owner.delivery_email;
}
