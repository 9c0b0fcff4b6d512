import {expect, test} from 'vitest';
import {reactivateOrganization} from '#server/actions/organization/update-organization.ts';
import {testServer} from '#test/support/server.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));
const bad = {code: 'BAD_REQUEST'};

async function setup() {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.member()];
  return {server, owner, meg};
}

const playground = {name: 'Py', pygments_language: 'Python', url_template: 'https://py.example/{code}'};

test('playgrounds: everybody gets the list after each change', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen({fetch_event_types: ['realm_playgrounds']});
  expect(queue.state.realm_playgrounds).toEqual([]);
  const {id} = await server.as(owner).post('/realm/playgrounds', playground);
  const list = [{id, ...playground}];
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm_playgrounds']});
  expect(state.realm_playgrounds).toEqual(list);
  await server.as(owner).delete(`/realm/playgrounds/${id}`);
  await server.as(owner).refused('DELETE', `/realm/playgrounds/${id}`, {}, bad);
  expect(await queue.events()).toMatchObject([{realm_playgrounds: list}, {realm_playgrounds: []}]);
});

test('playgrounds: a wrong field is named with the reason', async () => {
  const {server, owner} = await setup();
  await server.as(owner).post('/realm/playgrounds', playground);
  const template = (path: string) => ({name: 'Other', url_template: `https://py.example/${path}`});
  for (const [change, field, text] of [
    [template('{code'), 'url_template', 'Invalid URL template.'],
    [template('x'), '__all__', 'Missing the required variable "code" in the URL template'],
    [template('{code}/{x}'), '__all__', '"code" should be the only variable present in the URL template'],
    [{name: ' '}, 'name', 'This field cannot be blank.'],
    [
      {pygments_language: 'x'.repeat(41)},
      'pygments_language',
      'Ensure this value has at most 40 characters (it has 41).',
    ],
    [{}, '__all__', 'Realm playground with this Realm, Pygments language and Name already exists.'],
  ] as const) {
    const refusal = await server.as(owner).refused('POST', '/realm/playgrounds', {...playground, ...change}, bad);
    expect(refusal).toMatchObject({msg: text, errors: {[field]: [text]}});
  }
  const wrong = {...playground, pygments_language: 'a b;c'};
  const {msg} = await server.as(owner).refused('POST', '/realm/playgrounds', wrong, bad);
  expect(msg).toBe('Invalid character in language:  ');
});

test('default channel groups: people except guests get the groups after each change', async () => {
  const {server, owner, meg} = await setup();
  const guest = server.people.guest();
  await server.as(owner).post('/default_streams', {stream_id: server.people.channel('general', [owner])});
  const [books, films] = [server.people.channel('books', [owner]), server.people.channel('films', [owner])];
  const [queue, guestQueue] = [await server.as(meg).listen(), await server.as(guest).listen()];
  const admin = server.as(owner);
  const create = {group_name: 'Arts', description: 'a', stream_names: ['books']};
  await admin.post('/default_stream_groups/create', create);
  const fetched = await server.as(meg).listen({fetch_event_types: ['default_stream_groups']});
  const [{id}] = fetched.state.realm_default_stream_groups;
  const path = `/default_stream_groups/${id}`;
  await admin.patch(`${path}/streams`, {op: 'add', stream_names: ['films']});
  await admin.patch(path, {new_group_name: 'Culture'});
  await admin.delete(`/streams/${films}`);
  const group = {id, name: 'Arts', description: 'a'};
  expect((await queue.events()).filter(({type}) => type === 'default_stream_groups')).toMatchObject([
    {default_stream_groups: [{...group, streams: [books]}]},
    {default_stream_groups: [{...group, streams: [books, films]}]},
    {default_stream_groups: [{...group, name: 'Culture'}]},
    {default_stream_groups: [{...group, name: 'Culture', streams: [books]}]},
  ]);
  expect((await guestQueue.events()).filter(({type}) => type === 'default_stream_groups')).toEqual([]);
  const state = await server.as(guest).listen({fetch_event_types: ['default_stream_groups']});
  expect(state.state.realm_default_stream_groups).toEqual([]);
  for (const [method, target, params] of [
    ['POST', '/default_stream_groups/create', {...create, group_name: 'Culture'}],
    ['POST', '/default_stream_groups/create', {...create, stream_names: ['general']}],
    ['POST', '/default_stream_groups/create', {...create, group_name: ' '}],
    ['PATCH', path, {}],
    ['PATCH', path, {new_group_name: 'Culture'}],
    ['PATCH', `${path}/streams`, {op: 'add', stream_names: ['books']}],
    ['PATCH', `${path}/streams`, {op: 'remove', stream_names: ['general']}],
    ['PATCH', `${path}/streams`, {op: 'swap', stream_names: []}],
    ['DELETE', '/default_stream_groups/99', {}],
  ] as const) {
    await admin.refused(method, target, params, bad);
  }
  // Who becomes a guest loses the groups, and has them again as a member.
  for (const role of [600, 400]) await admin.patch(`/users/${meg.id}`, {role});
  expect((await queue.events()).filter(({type}) => type === 'default_stream_groups')).toMatchObject([
    {default_stream_groups: []},
    {default_stream_groups: [{name: 'Culture', streams: [books]}]},
  ]);
  await admin.delete(path);
  expect((await queue.events()).at(-1)).toMatchObject({default_stream_groups: []});
});

test('data exports: a server without files records a request, and tells administrators that it failed', async () => {
  const {server, owner, meg} = await setup();
  const [queue, others] = [await server.as(owner).listen(), await server.as(meg).listen()];
  const {id} = await server.as(owner).post('/export/realm', {});
  expect(await queue.events()).toMatchObject([
    {type: 'realm_export', exports: [{id, pending: true, failed_timestamp: null}]},
    {type: 'realm_export', exports: [{id, pending: false, failed_timestamp: expect.any(Number), export_url: null}]},
  ]);
  expect(await others.events()).toEqual([]);
  expect((await server.as(owner).get('/export/realm')).exports).toMatchObject([{id, export_type: 'public'}]);
  const refusal = await server.as(owner).refused('DELETE', `/export/realm/${id}`, {}, bad);
  expect(refusal.msg).toBe('Export failed, nothing to delete');
  await server.as(owner).refused('POST', '/export/realm', {export_type: 'full_without_consent'}, bad);
  const withoutConsent = await server
    .as(owner)
    .refused('POST', '/export/realm', {export_type: 'full_with_consent'}, bad);
  expect(withoutConsent.msg).toContain('consenting to the export');
  await server.as(owner).patch('/settings', {allow_private_data_export: true});
  expect((await server.as(owner).get('/export/realm/consents')).export_consents).toContainEqual({
    user_id: owner.id,
    consented: true,
  });
  for (let request = 2; request <= 5; request++)
    await server.as(owner).post('/export/realm', {export_type: 'full_with_consent'});
  const limited = await server.as(owner).refused('POST', '/export/realm', {}, bad);
  expect(limited.msg).toBe('Exceeded rate limit.');
});

test('organization images: an uploaded icon and logo are served and can be removed', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen();
  const admin = server.as(owner);
  const {icon_url} = (await admin.upload('/realm/icon', 'i.png', png)).body;
  await admin.upload('/realm/logo?night=true', 'l.png', png);
  const served = await server.anonymous().web(icon_url);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  expect(state).toMatchObject({
    realm_icon_url: icon_url,
    realm_icon_source: 'U',
    realm_logo_source: 'D',
    realm_night_logo_source: 'U',
  });
  expect((await server.anonymous().get('/server_settings')).realm_icon).toBe(icon_url);
  await admin.delete('/realm/icon');
  await admin.delete('/realm/logo', {night: true});
  expect(await queue.events()).toMatchObject([
    {op: 'update_dict', property: 'icon', data: {icon_url, icon_source: 'U'}},
    {op: 'update_dict', property: 'night_logo', data: {night_logo_source: 'U'}},
    {op: 'update_dict', property: 'icon', data: {icon_source: 'G'}},
    {op: 'update_dict', property: 'night_logo', data: {night_logo_source: 'D'}},
  ]);
  expect((await server.anonymous().web(icon_url)).status).toBe(404);
  expect((await admin.upload('/realm/icon', 'i.txt', new Uint8Array([1]))).body.code).toBe('BAD_IMAGE');
  expect((await server.anonymous().web('/api/v1/realm/icon')).status).toBe(401);
  const redirect = await server.as(meg).web('/api/v1/realm/logo?night=true');
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, state.realm_logo_url]);
});

test('setting defaults: a new account starts with them, and existing accounts keep their settings', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen();
  const changes = {twenty_four_hour_time: true, enter_sends: false};
  await server.as(owner).patch('/realm/user_settings_defaults', changes);
  await server.as(owner).patch('/realm/user_settings_defaults', {display_emoji_reaction_users: false});
  expect(await queue.events()).toMatchObject([
    {type: 'realm_user_settings_defaults', op: 'update', property: 'twenty_four_hour_time', value: true},
    {type: 'realm_user_settings_defaults', op: 'update', property: 'display_emoji_reaction_users', value: false},
  ]);
  const newcomer = {email: 'new@parley.example', full_name: 'Nia New', password: 'correct horse battery staple 42'};
  await server.as(owner).post('/users', newcomer);
  const key = await server.anonymous().post('/fetch_api_key', {username: newcomer.email, password: newcomer.password});
  const nia = server.as({...meg, email: newcomer.email, apiKey: key.api_key});
  const fetched = {fetch_event_types: ['user_settings', 'realm_user_settings_defaults']};
  expect((await nia.post('/register', fetched)).user_settings.twenty_four_hour_time).toBe(true);
  const state = await server.as(meg).post('/register', fetched);
  expect(state.user_settings.twenty_four_hour_time).toBe(false);
  expect(state.realm_user_settings_defaults.twenty_four_hour_time).toBe(true);
  await server.as(owner).refused('PATCH', '/realm/user_settings_defaults', {color_scheme: 9}, bad);
});

test('login methods: an owner turns passwords off; one method must stay', async () => {
  const {server, owner} = await setup();
  const admin = server.people.admin();
  const queue = await server.as(admin).listen();
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  const change = {authentication_methods: {Dev: true}};
  await server.as(admin).refused('PATCH', '/realm', change, refusal);
  await server.as(owner).refused('PATCH', '/realm', {authentication_methods: {Email: false}}, bad);
  const unknown = await server.as(owner).refused('PATCH', '/realm', {authentication_methods: {Zephyr: true}}, bad);
  expect(unknown.msg).toBe("Invalid authentication method: Zephyr. Valid methods are: ['Dev', 'Email']");
  await server.as(owner).patch('/realm', change);
  const methods = {Dev: {enabled: true, available: false}, Email: {enabled: false, available: true}};
  expect(await queue.events()).toMatchObject([{op: 'update_dict', data: {authentication_methods: methods}}]);
  const login = {username: owner.email, password: 'correct horse battery staple 42'};
  await server.anonymous().refused('POST', '/fetch_api_key', login, {status: 401, code: 'PASSWORD_AUTH_DISABLED'});
  expect((await server.anonymous().get('/server_settings')).authentication_methods.password).toBe(false);
});

test('deactivation: all clients are told, and nobody can use the organization', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen();
  const poll = server.as(meg).get('/events', {queue_id: queue.queueId, last_event_id: -1});
  while (server.context.queues.find(queue.queueId, meg.id)?.isWaiting !== true)
    await new Promise((resolve) => setImmediate(resolve));
  await server.as(server.people.admin()).refused('POST', '/realm/deactivate', {}, {code: 'UNAUTHORIZED_PRINCIPAL'});
  await server.as(owner).post('/realm/deactivate');
  expect((await poll).events).toMatchObject([{type: 'realm', op: 'deactivated'}]);
  const refusal = {status: 401, code: 'REALM_DEACTIVATED'};
  await server.as(owner).refused('GET', '/users/me', {}, refusal);
  reactivateOrganization(server.context);
  expect((await server.as(owner).get('/users/me')).full_name).toBe(owner.fullName);
});

test('welcome message: an administrator gets a test of the text from the welcome bot', async () => {
  const {server, owner} = await setup();
  const path = '/realm/test_welcome_bot_custom_message';
  const {message_id} = await server.as(owner).post(path, {welcome_message_custom_text: 'Ask *Otto*.'});
  const {message} = await server.as(owner).get(`/messages/${message_id}`, {apply_markdown: false});
  expect(message).toMatchObject({sender_full_name: 'Welcome Bot', content: 'Ask *Otto*.'});
  await server.as(owner).refused('POST', path, {welcome_message_custom_text: ''}, bad);
});

test('subdomains: the server has one organization, so no subdomain is free', async () => {
  const {server} = await setup();
  const messages = await Promise.all(
    ['ab', '-abc', 'A.B', 'abc'].map(
      async (name) => (await server.anonymous().raw('GET', `/realm/subdomain/${name}`)).body.msg,
    ),
  );
  expect(messages).toEqual([
    'Subdomain needs to have length 3 or greater.',
    "Subdomain cannot start or end with a '-'.",
    "Subdomain can only have lowercase letters, numbers, and '-'s.",
    'Subdomain is already in use. Please choose a different one.',
  ]);
});

const forAdministrators = Object.values(otherEndpoints).filter(({id}) =>
  /^(playground|export|default-channel-group|realm)\./.test(id),
);

test('administration: members and guests are refused, before parameters are read', async () => {
  const {server, meg} = await setup();
  const guest = server.people.guest();
  const before = server.context.db.get('SELECT count(*) AS settings FROM realm_setting');
  for (const {method, path} of forAdministrators) {
    for (const person of [meg, guest]) {
      const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
      await server.as(person).refused(method, path.replace(/\{\w+\}/, '1'), {}, refusal);
    }
  }
  expect(server.context.db.get('SELECT count(*) AS settings FROM realm_setting')).toEqual(before);
});
