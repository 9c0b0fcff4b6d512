import {type ApiFailure, isFromElsewhere} from '#api/failure.ts';
import type {ServerBusyResponse} from '#state/model/connection.ts';

/** Returns how the server, or a proxy before it, responded; undefined when it did not respond at all. */
export function busyResponse(failure: ApiFailure): ServerBusyResponse | undefined {
  if (failure.kind === 'malformed') return 'unreadable';
  if (isFromElsewhere(failure) || (failure.kind === 'retry' && failure.reason === 'webPage')) return 'webPage';
  if (failure.kind !== 'retry' || failure.reason === 'network' || failure.reason === 'timeout') return undefined;
  return failure.retryAfterMs === undefined ? 'busy' : 'wait';
}
