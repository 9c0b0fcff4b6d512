import type {Connection} from '#api/connection.ts';
import type {BatchOptions, CallOptions} from '#api/connection-options.ts';
import {batches} from '#std/batches.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {type NarrowTerm, normalizeTerm, orParts, splitDateTerms, type WireNarrow} from '#wire/narrow.ts';
import {type AdaptedCall, mapInParallel, unlessRefused, withLongTimeout} from './adapted-call.ts';
import {getMessages} from './messages.ts';
import {resolveWithTerm} from './narrow-pages.ts';

type NarrowArgs = ArgsOf<typeof endpoints.updateFlagsForNarrow>;

/** One request changes at most this many messages. */
const idsPerChange = 1000;
const maxFetched = 5000;
/** More rounds than any server needs; it stops a server that never finishes. */
const maxRounds = 10_000;

/** Changes a flag of any number of messages, in requests of a thousand. */
export const updateFlags: AdaptedCall<'updateFlags'> = async (connection, args, options = {}) => {
  const responses = await mapInParallel(batches(args.messages, idsPerChange), 1, (messages) =>
    connection.call(endpoints.updateFlags, {...args, messages}, options),
  );
  const ignored = responses.flatMap((response) => response.ignored_because_not_subscribed_channels ?? []);
  return {messages: [...args.messages], ignored_because_not_subscribed_channels: [...new Set(ignored)]};
};

/** Changes a flag in a narrow's range. Below level 155, within dates and for joined narrows, it fetches the range and flags its messages. */
export const updateFlagsForNarrow: AdaptedCall<'updateFlagsForNarrow'> = async (connection, args, options = {}) => {
  const narrow = (await resolveWithTerm(connection, args.narrow, options)) ?? [];
  const isServerNarrow = orParts(narrow) === undefined && splitDateTerms(narrow).bounds === undefined;
  if (connection.level >= levels.narrowFlags && isServerNarrow) {
    return connection.call(endpoints.updateFlagsForNarrow, {...args, narrow}, withLongTimeout(options));
  }
  const {op, flag, ...range} = args;
  const before = Math.min(range.num_before, maxFetched);
  const after = Math.min(range.num_after, maxFetched - before);
  const query = {...range, narrow, num_before: before, num_after: after, apply_markdown: false};
  const page = await getMessages(connection, query, options);
  const ids = page.messages.map(({id}) => id);
  const changing = page.messages.filter(({flags}) => flags.includes(flag) !== (op === 'add'));
  const changed = await updateFlags(connection, {messages: changing.map(({id}) => id), op, flag}, options);
  return {
    processed_count: ids.length,
    updated_count: changing.length,
    first_processed_id: ids[0] ?? null,
    last_processed_id: ids.at(-1) ?? null,
    found_oldest: page.found_oldest ?? ids.length === 0,
    found_newest: page.found_newest ?? ids.length === 0,
    ignored_because_not_subscribed_channels: changed.ignored_because_not_subscribed_channels,
  };
};

export interface NarrowFlagChange {
  readonly narrow: WireNarrow;
  readonly op: 'add' | 'remove';
  readonly flag: string;
  /** The newest message to change; by default all of the narrow are changed. */
  readonly upTo?: number | undefined;
}

export interface NarrowFlagResult {
  /** Undefined when an older server did it in one request and did not count. */
  readonly updatedCount: number | undefined;
  readonly ignoredChannelIds: readonly number[];
}

/**
 * Changes a flag of all messages in a narrow, the newest first, with as many requests as needed. Marking as read skips read
 * messages.
 */
export async function flagNarrow(
  connection: Connection,
  {narrow, op, flag, upTo}: NarrowFlagChange,
  {onBatch, ...options}: BatchOptions = {},
): Promise<NarrowFlagResult> {
  const terms = ((await resolveWithTerm(connection, narrow, options)) ?? []).map(normalizeTerm);
  const isReading = op === 'add' && flag === 'read';
  const otherTerms = isReading ? terms.filter((term) => !isUnread(term)) : terms;
  const isOneRequest = isReading && upTo === undefined && connection.level < levels.narrowFlags;
  if (isOneRequest && (await markNarrowRead(connection, otherTerms, options))) {
    return {updatedCount: undefined, ignoredChannelIds: []};
  }
  const flaggedNarrow = isReading ? [...otherTerms, unread] : otherTerms;
  const ignored = new Set<number>();
  let updatedCount = 0;
  let range: Pick<NarrowArgs, 'anchor' | 'include_anchor'> = {anchor: upTo ?? 'newest'};
  for (let round = 0; round < maxRounds; round++) {
    const args = {...range, num_before: idsPerChange, num_after: 0, narrow: flaggedNarrow, op, flag};
    const result = await updateFlagsForNarrow(connection, args, options);
    updatedCount += result.updated_count;
    for (const id of result.ignored_because_not_subscribed_channels ?? []) ignored.add(id);
    if (result.found_oldest || result.first_processed_id === null) break;
    onBatch?.(updatedCount);
    range = {anchor: result.first_processed_id, include_anchor: false};
  }
  return {updatedCount, ignoredChannelIds: [...ignored]};
}

const unread: NarrowTerm = {operator: 'is', operand: 'unread'};

function isUnread({operator, operand, negated}: NarrowTerm): boolean {
  return operator === unread.operator && operand === unread.operand && negated !== true;
}

/** Marks everything, a channel or a topic as read in one request, on older servers. Returns false for other narrows. */
async function markNarrowRead(
  connection: Connection,
  otherTerms: readonly NarrowTerm[],
  options: CallOptions,
): Promise<boolean> {
  const [first, second, third] = otherTerms;
  if (first === undefined) return (await markAllAsRead(connection, {}, options)).complete;
  const channel = otherTerms.find(({operator, negated}) => operator === 'channel' && negated !== true);
  const topic = otherTerms.find(({operator, negated}) => operator === 'topic' && negated !== true);
  if (channel === undefined || third !== undefined || (second !== undefined && topic === undefined)) return false;
  const stream_id = await channelId(connection, channel, options);
  if (stream_id === undefined) return false;
  const longOptions = withLongTimeout(options);
  const request =
    topic === undefined
      ? connection.call(endpoints.markChannelAsRead, {stream_id}, longOptions)
      : connection.call(endpoints.markTopicAsRead, {stream_id, topic_name: String(topic.operand)}, longOptions);
  // Refused for example for a topic without messages; the general way finds nothing or reports the error.
  return (await unlessRefused(request)) !== undefined;
}

async function channelId(connection: Connection, {operand}: NarrowTerm, options: CallOptions) {
  if (typeof operand === 'number') return operand;
  const stream = String(operand);
  return (await unlessRefused(connection.call(endpoints.getChannelId, {stream}, options)))?.stream_id;
}

/** Repeats work that servers do in batches until it is complete. */
async function untilComplete(
  request: () => Promise<{complete?: boolean | undefined}>,
  onBatch?: BatchOptions['onBatch'],
): Promise<{complete: boolean}> {
  for (let round = 0; round < maxRounds; round++) {
    const {complete} = await request();
    // `complete` is absent on servers that do it in one request.
    if (complete !== false) return {complete: true};
    onBatch?.(undefined);
  }
  return {complete: false};
}

/** Marks all messages as read. */
export function markAllAsRead(
  connection: Connection,
  args: ArgsOf<typeof endpoints.markAllAsRead> = {},
  options: CallOptions = {},
) {
  return untilComplete(() => connection.call(endpoints.markAllAsRead, args, withLongTimeout(options)));
}

export function deleteTopic(
  connection: Connection,
  args: ArgsOf<typeof endpoints.deleteTopic>,
  {onBatch, ...options}: BatchOptions = {},
) {
  return untilComplete(() => connection.call(endpoints.deleteTopic, args, withLongTimeout(options)), onBatch);
}
