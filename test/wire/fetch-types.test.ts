import {expect, test} from 'vitest';
import {fetchTypesOf} from '#wire/fetch-types.ts';

test('fetch types: a client that reads a key fetches every event type that changes it', () => {
  expect(fetchTypesOf(new Set(['drafts']))).toEqual(['drafts', 'user_settings']);
  expect(fetchTypesOf(new Set(['realm_domains']))).toEqual(['realm_domains']);
});

test('fetch types: a part whose name is not the type of its events is fetched by its name, too', () => {
  expect(fetchTypesOf(new Set(['navigation_views']))).toEqual(['navigation_views', 'navigation_view']);
  expect(fetchTypesOf(new Set(['has_zoom_token']))).toEqual(['video_calls', 'has_zoom_token']);
});

test('fetch types: a client that reads no key fetches nothing', () => {
  expect(fetchTypesOf(new Set())).toEqual([]);
});
