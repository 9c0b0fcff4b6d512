import {expect, test} from 'vitest';
import {featureProblem, sinceProblem} from '#wire/server-features.ts';
import {settingSince} from '#wire/setting-params.ts';

test('features: a server that is too old is told with the first release that has them', () => {
  expect(featureProblem(277, 'savedSnippets')).toBe('Needs Zulip 10 (feature level 297). This server has level 277.');
  expect(featureProblem(297, 'savedSnippets')).toBeUndefined();
  // The level is not known yet.
  expect(featureProblem(0, 'savedSnippets')).toBeUndefined();
});

test('settings: a setting and its values have their own levels', () => {
  const problem = (...[name, value]: Parameters<typeof settingSince>) =>
    sinceProblem(122, {since: settingSince(name, value)});
  expect(problem('color_scheme')).toBeUndefined();
  expect(problem('web_home_view')).toContain('Zulip 8');
  expect(problem('presence_enabled')).toBeUndefined();
  expect(problem('twenty_four_hour_time')).toBeUndefined();
  expect(problem('twenty_four_hour_time', null)).toContain('Zulip 11');
});
