import {badRequest} from '#server/http/errors.ts';
import type {Anchor, MessageRange} from '#server/narrow/message-range.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';

type GetMessagesParams = ParamsOf<typeof endpoints.getMessages>;

const maxFetched = 5000;
const rangeParams = [
  'num_before',
  'num_after',
  'anchor',
  'message_ids',
  'include_anchor',
  'use_first_unread_anchor',
].join(', ');

/** Returns the requested list of ids or range around an anchor; throws if the request has both. */
export function messagesQuery(params: GetMessagesParams): {messageIds: readonly number[]} | MessageRange {
  const {num_before: before, num_after: after, include_anchor: includeAnchor, message_ids: ids} = params;
  if (ids !== undefined) {
    const hasRange =
      before > 0 || after > 0 || !includeAnchor || params.anchor !== undefined || params.use_first_unread_anchor;
    if (hasRange) {
      const message = `Unsupported parameter combination: ${rangeParams}`;
      throw badRequest(message, {parameters: rangeParams});
    }
    if (ids.length > maxFetched) throw tooManyError();
    return {messageIds: ids};
  }
  if (before + after > maxFetched) throw tooManyError();
  return {anchor: anchorOf(params), includeAnchor, before, after};
}

function tooManyError() {
  return badRequest(`Too many messages requested (maximum ${maxFetched}).`);
}

function anchorOf(params: GetMessagesParams): Anchor {
  if (params.use_first_unread_anchor) return 'first_unread';
  if (params.anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  if (params.anchor !== 'date') return params.anchor;
  if (params.anchor_date === undefined) throw badRequest("Missing 'anchor_date' argument.");
  return {since: secondsOf(params.anchor_date)};
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses a date as UNIX seconds. The default time is midnight, the default zone UTC. */
function secondsOf(text: string): number {
  const trimmed = text.trim();
  const [, date, time, zone] = isoDateTime.exec(trimmed) ?? [];
  const full = isoDate.test(trimmed) ? `${trimmed}T00:00:00Z` : `${date}T${time}${zoneOf(zone)}`;
  const milliseconds = Date.parse(full);
  if (Number.isNaN(milliseconds)) throw badRequest(`Invalid anchor_date: ${text} is not an ISO 8601 date or time`);
  return Math.ceil(milliseconds / 1000);
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}
