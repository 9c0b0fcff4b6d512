import {expect, test} from 'vitest';
import {releaseForSetting} from '#wire/endpoints/settings.ts';
import {releaseFor, releaseSince} from '#wire/release-for.ts';

test('releaseFor: names the first release with the feature', () => {
  expect(releaseFor('savedSnippets', 277)).toBe('Zulip 10');
  expect(releaseFor('savedSnippets', 297)).toBeUndefined();
  expect(releaseFor('savedSnippets', 0)).toBeUndefined();
  expect(releaseSince(509, 498)).toBe('a newer Zulip');
});

test('releaseForSetting: settings and values have their own levels', () => {
  expect(releaseForSetting('color_scheme', 122)).toBeUndefined();
  expect(releaseForSetting('web_home_view', 122)).toBe('Zulip 8');
  expect(releaseForSetting('presence_enabled', 122)).toBeUndefined();
  expect(releaseForSetting('twenty_four_hour_time', 371)).toBeUndefined();
  expect(releaseForSetting('twenty_four_hour_time', 371, null)).toBe('Zulip 11');
});
