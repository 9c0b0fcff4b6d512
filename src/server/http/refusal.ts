import type {IncomingMessage} from 'node:http';
import {type ApiError, asApiError} from './errors.ts';

/**
 * Returns the error response for a failure that is not a bug. A full disk is logged: only the operator can do something
 * about it.
 */
export function refusalOf(
  error: unknown,
  {method, url}: Pick<IncomingMessage, 'method' | 'url'>,
  log: (line: string) => void,
): ApiError | undefined {
  const refusal = asApiError(error);
  if (refusal?.status === 507) log(`${method} ${url?.split('?')[0]} refused: ${refusal.message}`);
  return refusal;
}
