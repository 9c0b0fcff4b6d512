import {describe, expect, test} from 'vitest';
import {errorCodes, wholeErrorBody} from '#test/support/error-codes.ts';
import {decodeError, remedy} from '#wire/errors.ts';

describe('errors', () => {
  test('the table has only failure statuses and known fields', () => {
    const known = new Set(Object.keys(wholeErrorBody.entries));
    for (const [code, {status, fields}] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(fields.filter((field) => !known.has(field))).toEqual([]);
    }
  });

  test('are decoded with their additional fields', () => {
    const body = {result: 'error', msg: 'Slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 28.7};
    expect(decodeError(body)).toEqual(body);
  });

  test('with a malformed additional field or without a code are decoded; other bodies are not', () => {
    expect(decodeError({result: 'error', msg: 'x', code: 'BAD_NARROW', objections: 4})).toEqual({
      result: 'error',
      msg: 'x',
      code: 'BAD_NARROW',
    });
    expect(decodeError({result: 'error', msg: 'x'})?.code).toBeUndefined();
    expect(decodeError('<html>')).toBeUndefined();
  });

  test.each([
    [400, 'BAD_EVENT_QUEUE_ID', 'register'],
    [401, 'UNAUTHORIZED', 'login'],
    [401, undefined, 'login'],
    [429, 'RATE_LIMIT_HIT', 'retry'],
    [502, undefined, 'retry'],
    [507, 'INSUFFICIENT_STORAGE', 'none'],
    [404, 'BAD_REQUEST', 'none'],
    [400, undefined, 'none'],
  ] as const)('%s %s → %s', (status, code, expected) => {
    expect(remedy(status, code)).toBe(expected);
  });
});
