import {join} from 'node:path';
import type {ServerContext} from '#server/context.ts';
import {
  type ExportOptions,
  type ExportSummary,
  exportOrganization,
} from '#server/transfer/export/export-organization.ts';
import {type ReadExport, readExport} from '#test/server/transfer/read-export.ts';
import {validateExport} from '#test/server/transfer/validate-export.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

interface TestExport {
  readonly data: ReadExport;
  readonly summary: ExportSummary;
  readonly violations: readonly string[];
}

/** Exports the organization of a server into a directory that is removed after the test, reads it and checks it. */
export async function exported(server: ServerContext, options: Partial<ExportOptions> = {}): Promise<TestExport> {
  const output = join(scratchDirectory(), 'export');
  const summary = await exportOrganization(server, {output, zulipVersion: '12.0', ...options});
  const data = readExport(output);
  return {data, summary, violations: validateExport(data).violations};
}

const historical = 1024;

/** The bits of flags by their names in the API. */
const flagBits: Readonly<Record<string, number>> = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  wildcard_mentioned: 0,
  has_alert_word: 512,
  historical,
};

/**
 * Returns the flags of the messages that a person received, as the API shows them, in the form of an export. Others that
 * were marked unread are not in the combined feed: `also` names them.
 */
export async function flagsByApi(client: ApiClient, also: Iterable<number> = []): Promise<Map<number, number>> {
  const feed = await client.get('/messages', {anchor: 'newest', num_before: 5000, num_after: 0});
  const others = await client.get('/messages', {message_ids: JSON.stringify([...also])});
  const masks = new Map<number, number>();
  for (const {id, type, flags} of [...others.messages, ...feed.messages]) {
    const mask = flags.reduce(
      (bits: number, flag: string) => bits | (flagBits[flag] ?? 0),
      type === 'private' ? 2048 : 0,
    );
    if ((mask & historical) === 0) masks.set(id, mask);
  }
  return masks;
}

/** Returns the flags of the messages that a person received, in an export. */
export function receivedFlags({rows}: ReadExport, userId: number): Map<number, number> {
  const own = rows('usermessage').filter(({user_profile}) => user_profile === userId);
  const masks = own.map(({message, flags_mask}) => [Number(message), Number(flags_mask)] as const);
  return new Map(masks.filter(([, mask]) => (mask & historical) === 0));
}
