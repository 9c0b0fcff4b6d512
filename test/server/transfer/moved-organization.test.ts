import {expect, test} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {comparedTables} from './comparable-export.ts';
import {comparisonText} from './compare-organizations.ts';
import {moveDifferences} from './moved-organization.ts';

slowTest('move: a real export that is imported, exported and imported again keeps every object', async () => {
  expect(await moveDifferences('test/fixtures/zulip-export/wayout.tar.gz')).toEqual([]);
});

test('compare: a table says how many objects of two organizations are equal, and the differences follow', () => {
  const row = (name: string) => ({name, color: 'red'});
  const before = new Map([['stream', [row('sea'), row('harbor')]]]);
  const after = new Map([['stream', [row('sea'), {name: 'port', color: 'red'}, row('quay')]]]);
  expect(comparisonText(comparedTables(before, after, new Set()), 1)).toBe(
    `table      first    second     equal different
stream         2         3         1         2

stream: name ["harbor","port"]`,
  );
});
