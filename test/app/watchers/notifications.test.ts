import {expect, test} from 'vitest';
import {notificationText} from '#app/watchers/notifications.ts';
import * as eg from '#test/support/state-builders.ts';

test('notifications: a mention shows as the name of the user', () => {
  const users = eg.users(eg.user(), eg.user({id: 11, fullName: 'Carol Diaz'}));
  const content = '@_**Carol Diaz|11** has marked this topic as resolved.';
  const {body} = notificationText(eg.state({users}), [eg.message({content})], 'text');
  expect(body).toBe('Carol Diaz has marked this topic as resolved.');
});
