import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('users: errors and their order are those of Zulip’s servers', async () => {
  const server = await testServer();
  const {people} = server;
  const [owner, admin, meg, gus] = [people.owner(), people.admin(), people.member(), people.guest()];
  const bot = people.bot('Beep', meg);
  const gone = people.add('Ian Inactive', {active: false});
  const oldBot = await server.as(meg).post('/bots', {full_name: 'Boop', short_name: 'boop'});
  await server.as(meg).delete(`/bots/${oldBot.user_id}`);
  await server.as(meg).post('/bots', {full_name: 'Boop', short_name: 'boop2'});
  people.setting('require_unique_names', true);
  people.setting('can_access_all_users_group', 3);
  const noBots = 'This endpoint does not accept bot requests.';
  const notListed = 'Invalid role: Value error, Not in the list of possible values';
  const account = {email: 'n@example.com', password: 'correct horse 42', full_name: 'New Person'};
  const cases: [typeof meg, string, string, Record<string, unknown>, string][] = [
    [meg, 'DELETE', '/users/9999', {}, 'No such user'],
    [meg, 'DELETE', `/users/${bot.id}`, {}, 'No such user'],
    [meg, 'DELETE', `/users/${gone.id}`, {}, 'User is deactivated'],
    [
      meg,
      'DELETE',
      `/users/${gus.id}`,
      {deactivation_notification_comment: 'x'.repeat(2001)},
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    ],
    [meg, 'PATCH', `/users/${bot.id}`, {role: 600}, 'Must be an organization administrator'],
    [meg, 'PATCH', '/users/9999', {role: 5}, notListed],
    [
      meg,
      'POST',
      `/users/${oldBot.user_id}/reactivate`,
      {},
      'There is already an active bot named "Boop" in this organization. To reactivate this bot, you must rename or deactivate the other one first.',
    ],
    [gus, 'GET', `/users/${admin.id}`, {}, 'Insufficient permission'],
    [meg, 'POST', '/users/9999/status', {status_text: 'x'}, 'No such user'],
    [owner, 'POST', `/users/${gone.id}/status`, {status_text: 'x'}, 'User is deactivated'],
    [bot, 'POST', '/users/me/status', {}, noBots],
    [bot, 'POST', '/users/me/presence', {}, noBots],
    [bot, 'POST', '/bots', {}, noBots],
    [bot, 'GET', '/invites', {}, noBots],
    [owner, 'POST', '/users', {...account, email: 'x', password: ''}, 'Bad name or username'],
    [owner, 'POST', '/users', {...account, email: meg.email, password: ''}, 'Email is already in use.'],
    [owner, 'POST', '/users', {...account, full_name: gone.fullName}, 'Unique names required in this organization.'],
    [meg, 'PATCH', '/settings', {email: 'x'}, 'Invalid address.'],
    [meg, 'PATCH', '/settings', {email: gone.email}, 'Account has been deactivated.'],
    [owner, 'PATCH', `/users/${meg.id}`, {new_email: gus.email}, 'New email value error: Already has an account.'],
    [owner, 'PATCH', '/realm', {authentication_methods: []}, 'authentication_methods is not a dict'],
    [meg, 'POST', '/bots', {full_name: 'Boop|7', short_name: 'boop'}, 'Invalid format!'],
    [meg, 'POST', '/bots', {full_name: 'Bip', short_name: 'boop2', bot_type: 9}, 'Email is already in use.'],
    [meg, 'POST', '/bots', {full_name: 'Bip', short_name: 'bip', bot_type: 9}, 'Invalid bot type'],
  ];
  const replies = [];
  for (const [who, method, path, params] of cases) {
    replies.push((await server.as(who).raw(method, path, params)).body.msg);
  }
  expect(replies).toEqual(cases.map(([, , , , message]) => message));
});
