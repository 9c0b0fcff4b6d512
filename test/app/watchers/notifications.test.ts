import {expect, test} from 'vitest';
import {notificationText} from '#app/watchers/notifications.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

test('notifications: a mention shows as the name of the user', () => {
  const users = SortedMap.by([eg.user(), eg.user({id: 11, fullName: 'Carol Diaz'})], ({id}) => id);
  const content = '@_**Carol Diaz|11** has marked this topic as resolved.';
  const {body} = notificationText(eg.state({users}), [eg.message({content})], 'text');
  expect(body).toBe('Carol Diaz has marked this topic as resolved.');
});
