import {expect, test} from 'vitest';
import {camelKeys} from '#std/camel.ts';

test('camelKeys: keys become camel case, values stay as they are', () => {
  const nested = {not_touched: 1};
  const result = camelKeys({is_muted: true, twenty_4_hours: 2, plain: nested, avatar_url_medium: null});
  expect(result).toEqual({isMuted: true, twenty4Hours: 2, plain: nested, avatarUrlMedium: null});
  expect(result.plain).toBe(nested);
});
