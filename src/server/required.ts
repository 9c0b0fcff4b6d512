import {badRequest} from '#server/http/errors.ts';

/** Returns what was looked for; throws if it does not exist. A text is the sentence of a bad request. */
export function required<T>(found: T | undefined, error: string | (() => Error)): T {
  if (found === undefined) throw typeof error === 'string' ? badRequest(error) : error();
  return found;
}

/** Throws a bad request with this sentence unless the condition holds. */
export function check(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw badRequest(sentence);
}
