import {badRequest} from '#server/http/errors.ts';

/** Returns what was looked for; throws if it does not exist. A text is the sentence of a bad request. */
export function required<T>(found: T | undefined, error: string | (() => Error)): T {
  if (found === undefined) throw typeof error === 'string' ? badRequest(error) : error();
  return found;
}
