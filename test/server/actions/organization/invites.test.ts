import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(options);
  const {people} = server;
  return {server, owner: people.owner(), admin: people.admin(), meg: people.member()};
}

test('invites: a validity that is too long to be stored is refused, and the list can be read', async () => {
  const {server, meg} = await setup();
  for (const minutes of [9_007_199_254_740_991, 150_119_987_579_016, 144_000_000_000]) {
    const params = {invite_expires_in_minutes: minutes, stream_ids: []};
    await server
      .as(meg)
      .refused('POST', '/invites', {invitee_emails: 'a@example.com', ...params}, {code: 'BAD_REQUEST'});
    await server.as(meg).refused('POST', '/invites/multiuse', params, {code: 'BAD_REQUEST'});
  }
  expect((await server.as(meg).get('/invites')).invites).toEqual([]);
});

test('invites: an invitation by e-mail is listed for its sender and administrators, and only its sender gets the link', async () => {
  const {server, admin, meg} = await setup();
  const otto = server.people.member('Otto Other');
  const channel = server.people.channel('general', [meg]);
  const [byMeg, byAdmin, byOtto] = await Promise.all([meg, admin, otto].map((one) => server.as(one).listen()));
  const params = {invitee_emails: 'new@example.com,\n Ann <ann@example.com>, NEW@example.com', stream_ids: [channel]};
  const {invite_links} = await server.as(meg).post('/invites', params);
  const link_url = expect.stringContaining(`${server.url}/join/`);
  expect(invite_links).toEqual([
    {email: 'new@example.com', link_url},
    {email: 'ann@example.com', link_url},
  ]);
  const {invites} = await server.as(admin).get('/invites');
  expect(invites).toHaveLength(2);
  expect(invites[1]).toEqual({
    id: expect.any(Number),
    invited_by_user_id: meg.id,
    invited: expect.any(Number),
    expiry_date: invites[1].invited + 10 * 86_400,
    invited_as: 400,
    email: 'new@example.com',
    is_multiuse: false,
    notify_referrer_on_join: true,
  });
  expect((await server.as(meg).get('/invites')).invites).toEqual(invites);
  expect((await server.as(otto).get('/invites')).invites).toEqual([]);
  expect(await byMeg?.events()).toMatchObject([{type: 'invites_changed'}]);
  expect(await byAdmin?.events()).toMatchObject([{type: 'invites_changed'}]);
  expect(await byOtto?.events()).toEqual([]);
  expect((await server.as(meg).get('/invites')).invites).toEqual(invites);
  expect(await server.as(meg).post(`/invites/${invites[1].id}/resend`)).toMatchObject({
    invite_link: invite_links[0].link_url,
  });
  expect(await server.as(admin).post(`/invites/${invites[1].id}/resend`)).toMatchObject({invite_link: null});
  const page = await server.anonymous().web(new URL(invite_links[0].link_url).pathname);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('new@example.com');
  expect((await server.anonymous().web('/join/nothing')).status).toBe(404);
});

test('invites: one invalid address refuses all invitations', async () => {
  const {server, meg} = await setup();
  const params = {invitee_emails: 'fine@example.com, broken', stream_ids: []};
  const body = await server.as(meg).refused('POST', '/invites', params, {code: 'INVITATION_FAILED'});
  expect(body).toMatchObject({
    errors: [['broken', expect.any(String), false]],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: false,
  });
  expect((await server.as(meg).get('/invites')).invites).toEqual([]);
});

test('invites: addresses with accounts are skipped, the others are invited', async () => {
  const {server, meg} = await setup();
  const ian = server.people.add('Ian Inactive', {active: false});
  const params = {invitee_emails: `${meg.email},${ian.email},new@example.com`, stream_ids: []};
  const body = await server.as(meg).refused('POST', '/invites', params, {code: 'INVITATION_FAILED'});
  expect(body).toMatchObject({
    errors: [
      [meg.email, 'Already has an account.', false],
      [ian.email, 'Account has been deactivated.', true],
    ],
    sent_invitations: true,
    invite_links: [{email: 'new@example.com', link_url: expect.stringContaining('/join/')}],
  });
  expect((await server.as(meg).get('/invites')).invites).toMatchObject([{email: 'new@example.com'}]);
});

test('invites: an address outside the allowed domains is refused', async () => {
  const {server, owner, meg} = await setup();
  await server.as(owner).post('/realm/domains', {domain: 'acme.com', allow_subdomains: false});
  server.people.setting('emails_restricted_to_domains', true);
  const outside = {invitee_emails: 'x@example.com', stream_ids: []};
  await server.as(meg).refused('POST', '/invites', outside, {code: 'INVITATION_FAILED'});
  await server.as(meg).post('/invites', {...outside, invitee_emails: 'x@acme.com'});
});

test('invites: roles, channels and groups need the inviter’s own permission', async () => {
  const {server, owner, admin, meg} = await setup();
  const gus = server.people.guest();
  const params = {invitee_emails: 'x@example.com', stream_ids: []};
  await server.as(gus).refused('POST', '/invites', params, {code: 'BAD_REQUEST'});
  const principal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(meg).refused('POST', '/invites', {...params, invite_as: 200}, {code: 'BAD_REQUEST'});
  await server.as(admin).refused('POST', '/invites', {...params, invite_as: 100}, principal);
  await server.as(owner).post('/invites', {...params, invite_as: 100});
  await server.as(meg).refused('POST', '/invites', {...params, invite_as: 401}, {code: 'BAD_REQUEST'});
  const secret = server.people.channel('secret', [owner], {invite_only: 1});
  for (const [path, inviter] of [
    ['/invites', meg],
    ['/invites', admin],
    ['/invites/multiuse', admin],
  ] as const) {
    const {msg} = await server
      .as(inviter)
      .refused('POST', path, {...params, stream_ids: [secret]}, {code: 'BAD_REQUEST'});
    expect(msg).toBe(`Invalid channel ID ${secret}. No invites were sent.`);
  }
  const attic = server.people.channel('attic', [meg], {is_archived: 1});
  await server.as(meg).refused('POST', '/invites', {...params, stream_ids: [attic]}, {code: 'BAD_REQUEST'});
  await server.as(meg).refused('POST', '/invites', {...params, group_ids: [6]}, {code: 'BAD_REQUEST'});
  await server.as(meg).refused('POST', '/invites', {...params, invitee_emails: ', '}, {code: 'BAD_REQUEST'});
  const text = {welcome_message_custom_text: 'Hi'};
  await server.as(meg).refused('POST', '/invites', {...params, ...text}, {code: 'BAD_REQUEST'});
  const first = server.people.channel('first', [owner]);
  await server.as(owner).post('/default_streams', {stream_id: first});
  server.people.setting('can_add_subscribers_group', 6);
  const open = server.people.channel('open', [owner]);
  await server.as(meg).refused('POST', '/invites', {...params, stream_ids: [open]}, {code: 'BAD_REQUEST'});
  await server.as(meg).post('/invites', {...params, stream_ids: [first]});
});

test('invites: links need the organization’s permission, by default an administrator', async () => {
  const {server, admin, meg} = await setup();
  await server.as(meg).refused('POST', '/invites/multiuse', {}, {code: 'BAD_REQUEST'});
  const terms = {invite_expires_in_minutes: null, invite_as: 600};
  const {invite_link} = await server.as(admin).post('/invites/multiuse', terms);
  const {invites} = await server.as(admin).get('/invites');
  expect(invites).toEqual([
    {
      id: expect.any(Number),
      invited_by_user_id: admin.id,
      invited: expect.any(Number),
      expiry_date: null,
      invited_as: 600,
      is_multiuse: true,
      link_url: invite_link,
    },
  ]);
  await server.as(admin).refused('DELETE', `/invites/${invites[0].id}`, {}, {code: 'BAD_REQUEST'});
  await server.as(admin).delete(`/invites/multiuse/${invites[0].id}`);
  expect((await server.as(admin).get('/invites')).invites).toEqual([]);
});

test('invites: sender and administrators renew or revoke an invitation, and the sender is told', async () => {
  const clock = new ManualClock();
  const {server, admin, meg} = await setup({clock});
  const otto = server.people.member('Otto Other');
  await server.as(meg).post('/invites', {invitee_emails: 'x@example.com', stream_ids: []});
  const [{id}] = (await server.as(meg).get('/invites')).invites;
  const principal = {code: 'BAD_REQUEST'};
  await server.as(otto).refused('DELETE', `/invites/${id}`, {}, principal);
  await server.as(otto).refused('POST', `/invites/${id}/resend`, {}, principal);
  clock.advance(86_400_000);
  const queue = await server.as(meg).listen({event_types: ['invites_changed']});
  await server.as(meg).post(`/invites/${id}/resend`);
  const renewed = {invited: clock.seconds(), expiry_date: clock.seconds() + 10 * 86_400};
  expect((await server.as(meg).get('/invites')).invites).toMatchObject([renewed]);
  await server.as(admin).delete(`/invites/${id}`);
  expect(await queue.events()).toHaveLength(2);
  await server.as(meg).refused('POST', `/invites/${id}/resend`, {}, {code: 'BAD_REQUEST'});
});

test('invites: an expired invitation is not found', async () => {
  const {server, meg} = await setup();
  const params = {invitee_emails: 'x@example.com', stream_ids: [], invite_expires_in_minutes: 1};
  const [{link_url}] = (await server.as(meg).post('/invites', params)).invite_links;
  const [{id}] = (await server.as(meg).get('/invites')).invites;
  server.context.db.run('UPDATE invite SET expires_at = expires_at - 120');
  expect((await server.as(meg).get('/invites')).invites).toEqual([]);
  await server.as(meg).refused('DELETE', `/invites/${id}`, {}, {code: 'BAD_REQUEST'});
  expect((await server.anonymous().web(new URL(link_url).pathname)).status).toBe(404);
});
