import {expect, test} from 'vitest';
import {camelKeys} from '#std/camel.ts';

test('keys get our spelling, values stay as they are', () => {
  const nested = {not_touched: 1};
  const ours = camelKeys({is_muted: true, twenty_4_hours: 2, plain: nested, avatar_url_medium: null});
  expect(ours).toEqual({isMuted: true, twenty4Hours: 2, plain: nested, avatarUrlMedium: null});
  expect(ours.plain).toBe(nested);
});
