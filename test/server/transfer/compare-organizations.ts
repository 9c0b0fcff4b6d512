import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {type ComparedTable, comparableExport, comparedTables} from './comparable-export.ts';
import {unpackedExport} from './read-export.ts';

/**
 * What an export of this server does not have, by table and column: what a Zulip server makes anew, what it keeps for
 * itself, and what this server does not have.
 */
export const expectedLosses = new Set([
  ...[
    'realmauditlog',
    'realmexport',
    'useractivity',
    'useractivityinterval',
    'onboardingusermessage',
    'service',
    'client',
  ],
  ...['realmauthenticationmethod', 'botconfigdata', 'externalauthid', 'analytics'],
  ...[
    '_max_invites',
    'custom_upload_quota_gb',
    'deactivated_redirect',
    'default_avatar_source',
    'first_visible_message_id',
  ].map((column) => `realm.${column}`),
  ...['message_visibility_limit', 'owner_full_content_access', 'plan_type', 'push_notifications_enabled'].map(
    (column) => `realm.${column}`,
  ),
  ...['rendered_description', 'rendered_description_version', 'string_id', 'uuid_owner_secret'].map(
    (column) => `realm.${column}`,
  ),
  ...['avatar_hash', 'is_deleted', 'is_imported_stub', 'is_mirror_dummy', 'is_superuser', 'long_term_idle'].map(
    (column) => `userprofile.${column}`,
  ),
  ...['bot_type', 'email', 'last_login', 'last_reminder', 'rate_limits', 'third_party_api_state', 'tos_version'].map(
    (column) => `userprofile.${column}`,
  ),
  ...['first_message_id', 'is_recently_active', 'recipient', 'rendered_description', 'subscriber_count'].map(
    (column) => `stream.${column}`,
  ),
  ...['delivered', 'failed', 'failure_message', 'request_timestamp'].map((column) => `scheduledmessage.${column}`),
  ...['userpresence.last_update_id', 'userstatus.client', 'userstatus.timestamp', 'onboardingstep.timestamp'],
  'message.search_tsvector',
]);

/** Returns a table of how many rows are equal and different, and then the differences, up to `show` of each table. */
export function comparisonText(compared: readonly ComparedTable[], show: number): string {
  const width = Math.max(...compared.map(({table}) => table.length), 0);
  const line = (name: string, ...values: readonly (string | number)[]) =>
    [name.padEnd(width), ...values.map((value) => String(value).padStart(9))].join(' ');
  const lines = compared.map(({table, before, after, equal, differences}) =>
    line(table, before, after, equal, differences.length),
  );
  const shown = compared.flatMap(({differences}) => differences.slice(0, show));
  return [
    line('table', 'first', 'second', 'equal', 'different'),
    ...lines,
    ...(shown.length > 0 ? ['', ...shown] : []),
  ].join('\n');
}

/** `node test/server/transfer/compare-organizations.ts EXPORT_A EXPORT_B [--all] [--show N]`; see `test/README.md`. */
if (import.meta.main) {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {all: {type: 'boolean', default: false}, show: {type: 'string', default: '3'}},
  });
  const scratch = mkdtempSync(join(tmpdir(), 'parley-compare-'));
  try {
    const [before, after] = [positionals[0] ?? '.', positionals[1] ?? '.'].map((path) =>
      comparableExport(unpackedExport(path, mkdtempSync(join(scratch, 'export-')))),
    );
    const compared = comparedTables(before ?? new Map(), after ?? new Map(), values.all ? new Set() : expectedLosses);
    console.log(comparisonText(compared, Number(values.show)));
    if (compared.some(({differences}) => differences.length > 0)) process.exitCode = 1;
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}
