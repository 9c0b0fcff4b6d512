import {expect, test} from 'vitest';
import {moveDifferences} from './moved-organization.ts';

test('move: a real export that is imported, exported and imported again keeps every object', async () => {
  expect(await moveDifferences('test/fixtures/zulip-export/wayout.tar.gz')).toEqual([]);
});
