import {expect, test} from 'vitest';
import {hashPassword} from '#server/accounts/password.ts';
import {testServer} from '#test/support/server.ts';
import {settingDefaults} from '#wire/objects/user-settings.ts';

test('settings: a registration has every setting with its default and choices', async () => {
  const {people, as} = await testServer();
  const {user_settings} = await as(people.member()).post('/register', {fetch_event_types: ['user_settings']});
  expect(user_settings).toMatchObject(settingDefaults);
  expect(user_settings.available_notification_sounds).toContain('zulip');
  expect(user_settings.emojiset_choices[0]).toEqual({key: 'google', text: 'Google'});
});

test('settings: each change is stored and sent to the user’s own clients', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const own = await as(meg).listen({event_types: ['user_settings']});
  const others = await as(people.member('Otto Other')).listen({event_types: ['user_settings']});
  const changes = {
    twenty_four_hour_time: null,
    enter_sends: true,
    color_scheme: 2,
    web_home_view: 'recent',
    emojiset: 'text',
    enable_offline_push_notifications: false,
    web_font_size_px: 14,
    resolved_topic_notice_auto_read_policy: 'never',
    default_language: 'de',
  };
  await as(meg).patch('/settings', {...changes, color_scheme: '2', user_list_style: 3});
  const events = await own.events();
  expect(Object.fromEntries(events.map(({property, value}) => [property, value]))).toEqual(changes);
  expect(events.every(({type, op}) => type === 'user_settings' && op === 'update')).toBe(true);
  expect(events.find(({property}) => property === 'default_language')).toMatchObject({
    language_name: 'Deutsch',
  });
  expect(await others.events()).toEqual([]);
  const {user_settings} = await as(meg).post('/register', {fetch_event_types: ['user_settings']});
  expect(user_settings).toMatchObject(changes);
  await as(meg).patch('/settings', {enter_sends: false});
  expect(await own.events()).toMatchObject([{property: 'enter_sends', value: false}]);
});

test.each([
  ['color_scheme', 4],
  ['color_scheme', 'dark'],
  ['web_home_view', 'attic'],
  ['web_channel_default_view', 5],
  ['emojiset', 'comic'],
  ['enter_sends', 'yes'],
  ['enter_sends', 1],
  ['enter_sends', null],
  ['desktop_icon_count_display', 0],
  ['automatically_follow_topics_policy', 5],
  ['resolved_topic_notice_auto_read_policy', 'sometimes'],
  ['email_address_visibility', 6],
  ['timezone', 'Mars/Olympus'],
  ['timezone', '+02:00'],
  ['default_language', 'klingon'],
  ['default_language', 'pt-br'],
  ['notification_sound', 'scream'],
  ['web_line_height_percent', 14.5],
])('settings: refuses %s = %j', async (name, value) => {
  const {people, as} = await testServer();
  const meg = as(people.member());
  const reply = await meg.raw('PATCH', '/settings', {translate_emoticons: true, [name]: value});
  expect(reply.status).toBe(400);
  const {user_settings} = await meg.post('/register', {fetch_event_types: ['user_settings']});
  expect(user_settings.translate_emoticons).toBe(false);
});

test('settings: unknown settings are listed, not refused', async () => {
  const {people, as} = await testServer();
  const reply = await as(people.member()).patch('/settings', {enter_sends: true, wibble: 1});
  expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
});

test('settings: bots are refused', async () => {
  const {people, as} = await testServer();
  const bot = people.bot('Beep', people.member());
  await as(bot).refused('PATCH', '/settings', {enter_sends: true}, {code: 'BAD_REQUEST'});
});

test('settings: a time zone is part of the user record', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const listener = await as(people.member('Otto Other')).listen({event_types: ['realm_user']});
  await as(meg).patch('/settings', {timezone: 'Europe/Berlin'});
  expect(await listener.events()).toMatchObject([
    {op: 'update', person: {user_id: meg.id, email: meg.email, timezone: 'Europe/Berlin'}},
  ]);
  expect((await as(meg).get('/users/me')).timezone).toBe('Europe/Berlin');
});

test('settings: an alias of a time zone is told as its city, and an outdated city stays as it is', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  for (const [timezone, shown] of [
    ['US/Pacific', 'America/Los_Angeles'],
    ['UTC', 'Etc/UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ]) {
    await as(meg).patch('/settings', {timezone});
    expect((await as(meg).get('/users/me')).timezone).toBe(shown);
    const {user_settings} = await as(meg).post('/register', {fetch_event_types: ['user_settings']});
    expect(user_settings.timezone).toBe(timezone);
  }
});

test('settings: a change of email visibility sends each viewer the address or null', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const admin = await as(people.admin()).listen({event_types: ['realm_user']});
  const member = await as(people.member('Otto Other')).listen({event_types: ['realm_user']});
  await as(meg).patch('/settings', {email_address_visibility: 3});
  const dummy = `user${meg.id}@127.0.0.1`;
  expect(await admin.events()).toMatchObject([{person: {user_id: meg.id, new_email: dummy}}]);
  const lost = await member.events();
  expect(lost).toMatchObject([
    {person: {user_id: meg.id, delivery_email: null}},
    {person: {user_id: meg.id, new_email: dummy}},
    {person: {user_id: meg.id, avatar_url: expect.stringMatching(/^https:/)}},
  ]);
  expect(JSON.stringify(lost)).not.toContain(meg.email);
  await as(meg).patch('/settings', {email_address_visibility: 2});
  expect(await admin.events()).toEqual([]);
  expect(await member.events()).toMatchObject([
    {person: {user_id: meg.id, delivery_email: meg.email}},
    {person: {user_id: meg.id, avatar_url: null}},
  ]);
});

test('settings: users change their name unless the organization forbids it', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const admin = people.admin();
  await as(meg).patch('/settings', {full_name: 'Margaret', email: meg.email});
  await as(meg).refused('PATCH', '/settings', {full_name: 'x@y'}, {code: 'BAD_REQUEST'});
  people.setting('name_changes_disabled', true);
  await as(meg).patch('/settings', {full_name: 'Maggie'});
  expect((await as(meg).get('/users/me')).full_name).toBe('Margaret');
  await as(admin).patch('/settings', {full_name: 'Ada Two'});
});

test('settings: a new address is refused with the reason, and the account and its clients stay as they were', async () => {
  const {people, as} = await testServer();
  const [meg, owner] = [people.member(), people.owner()];
  const listener = await as(meg).listen();
  const change = {email: 'margaret@example.com', full_name: 'Margaret'};
  const {msg} = await as(meg).refused('PATCH', '/settings', change, {code: 'BAD_REQUEST'});
  expect(msg).toBe(
    'This server sends no mail to confirm a new address. An organization owner can change your address.',
  );
  expect(await as(meg).get('/users/me')).toMatchObject({full_name: 'Meg Member', delivery_email: meg.email});
  expect(await listener.events()).toEqual([]);
  await as(meg).refused('PATCH', '/settings', {email: owner.email}, {code: 'BAD_REQUEST'});
  await as(owner).patch(`/users/${meg.id}`, {new_email: 'margaret@example.com'});
  people.setting('email_changes_disabled', true);
  const forbidden = await as(owner).refused(
    'PATCH',
    '/settings',
    {email: owner.email.toUpperCase()},
    {code: 'BAD_REQUEST'},
  );
  expect(forbidden.msg).toContain('sends no mail');
});

test('settings: a new password needs the old one', async () => {
  const {people, as, anonymous, context} = await testServer();
  const meg = people.member();
  const old_password = 'old password 1';
  const new_password = 'new password 2';
  context.db.run(
    'UPDATE user SET password_hash = ? WHERE id = ?',
    await hashPassword(old_password, context.passwordCost),
    meg.id,
  );
  const bad = {code: 'BAD_REQUEST'};
  await as(meg).refused('PATCH', '/settings', {new_password}, bad);
  await as(meg).refused('PATCH', '/settings', {old_password: 'wrong', new_password}, bad);
  await as(meg).refused('PATCH', '/settings', {old_password, new_password: 'short'}, bad);
  await as(meg).patch('/settings', {old_password, new_password});
  const key = await anonymous().post('/fetch_api_key', {username: meg.email, password: new_password});
  expect(key.api_key).toBe(meg.apiKey);
});
