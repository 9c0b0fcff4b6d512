import {join} from 'node:path';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {exportOrganization} from '#server/transfer/export/export-organization.ts';
import {importedHtml, type NewIds, OwnHosts} from '#server/transfer/references.ts';
import {importedServer} from '#test/server/transfer/import/import-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {TestServer} from '#test/support/server.ts';
import {comparableExport, exportDifferences} from './comparable-export.ts';
import {expectedLosses} from './compare-organizations.ts';
import {type ReadExport, readExport, unpackedExport} from './read-export.ts';
import {validateExport} from './validate-export.ts';

/**
 * Imports an export, exports the organization, and imports and exports it again. Returns what became different on the way:
 * rows, columns, bytes of files, and the HTML of messages. `path` is an archive, or a directory that was unpacked from one.
 */
export async function moveDifferences(path: string): Promise<string[]> {
  const original = readExport(unpackedExport(path, scratchDirectory()));
  const options = {clock: new ManualClock(1_795_000_000_000)};
  const {server: first} = await importedServer(path, options);
  const firstExport = join(scratchDirectory(), 'first');
  await exportOrganization(first.context, {output: firstExport, zulipVersion: '12.0'});
  const {server: second} = await importedServer(`${firstExport}.tar.gz`, options);
  const secondExport = join(scratchDirectory(), 'second');
  await exportOrganization(second.context, {output: secondExport, zulipVersion: '12.0'});
  const tables = [original.directory, firstExport, secondExport].map(comparableExport);
  const [start = new Map(), middle = new Map(), end = new Map()] = tables;
  return [
    ...exportDifferences(start, middle, expectedLosses),
    ...exportDifferences(middle, end),
    ...htmlDifferences(original, first),
    ...htmlDifferences(original, second),
    ...[firstExport, secondExport].flatMap((directory) => validateExport(directory).violations),
  ];
}

/** Returns the messages whose HTML names others than before, or links to something else. */
function htmlDifferences(original: ReadExport, {context}: TestServer): string[] {
  const {db, renderer} = context;
  const ids = idsOf(original, context.db);
  const rows = db.all<MessageRow & Record<string, unknown>>('SELECT * FROM message ORDER BY id');
  return original.rows('message').flatMap(({rendered_content}, at) => {
    const row = rows[at];
    if (row === undefined || typeof rendered_content !== 'string') return [];
    const before = namesIn(importedHtml(rendered_content, ids) ?? rendered_content);
    const after = namesIn(renderer.messageHtml(row));
    return before === after ? [] : [`HTML: ${before} became ${after}`];
  });
}

/** The new ids of what an export names, found by names and order. */
function idsOf(original: ReadExport, db: TestServer['context']['db']): NewIds {
  const users = new Map(
    db.all<UserRow & Record<string, unknown>>('SELECT * FROM user').map(({id, delivery_email}) => [delivery_email, id]),
  );
  const idOf = (table: string, sql: string) => (id: number) => {
    const name = original.rows(table).find((row) => row.id === id)?.name;
    return db.value(sql, String(name));
  };
  const messageIds = db.pluck('SELECT id FROM message ORDER BY id');
  const positions = new Map(original.rows('message').map(({id}, at) => [id, at]));
  return {
    user: (id) => users.get(String(original.rows('userprofile').find((row) => row.id === id)?.delivery_email)),
    group: idOf('namedusergroup', 'SELECT id FROM user_group WHERE name = ?'),
    channel: idOf('stream', 'SELECT id FROM channel WHERE name = ?'),
    message: (id) => messageIds[positions.get(id) ?? -1],
    upload: (path) => path,
    emoji: (file) => file,
    isOwnHost: new OwnHosts().has,
  };
}

/** Returns the mentions and links of HTML. The path of a file is new on each server. */
function namesIn(html: string): string {
  const found = html.match(/<a [^>]*>[^<]*|<span class="[^"]*mention[^>]*>[^<]*/g) ?? [];
  return found.join(' ').replace(/"\/?user_uploads\/[^"]*\/([^"/]{1,50})[^"/]*"/g, '"file $1"');
}
