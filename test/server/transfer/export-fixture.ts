import {join} from 'node:path';
import type {ServerContext} from '#server/context.ts';
import {
  type ExportOptions,
  type ExportSummary,
  exportOrganization,
} from '#server/transfer/export/export-organization.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type ReadExport, readExport} from './read-export.ts';
import {validateExport} from './validate-export.ts';

export interface TestExport {
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

/** Returns the flags of the messages that a person received, as the API shows them, in the form of an export. */
export async function flagsByApi(client: ApiClient): Promise<Map<number, number>> {
  const {messages} = await client.get('/messages', {anchor: 'newest', num_before: 5000, num_after: 0});
  const masks = messages.map((message: {id: number; type: string; flags: string[]}) => [
    message.id,
    message.flags.reduce((mask, flag) => mask | (flagBits[flag] ?? 0), message.type === 'private' ? 2048 : 0),
  ]);
  return new Map(masks.filter(([, mask]: [number, number]) => (mask & historical) === 0));
}

/** Returns the flags of the messages that a person received, in an export. */
export function receivedFlags({rows}: ReadExport, userId: number): Map<number, number> {
  const own = rows('usermessage').filter(({user_profile}) => user_profile === userId);
  const masks = own.map(({message, flags_mask}) => [Number(message), Number(flags_mask)] as const);
  return new Map(masks.filter(([, mask]) => (mask & historical) === 0));
}
