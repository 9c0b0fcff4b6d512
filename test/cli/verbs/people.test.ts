import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {verbFixture} from './verb-fixture.ts';
import {verbScene} from './verb-scene.ts';

test('status: it is printed, set, cleared, and set for another user by administrators', async () => {
  const {run, asOwner, server, meg, otto} = await verbScene();
  expect(await run('status', [])).toEqual({code: 0, out: 'No status.\n', err: ''});
  expect((await run('status', ['out', 'for', 'lunch', '--emoji', '🎉'])).out).toBe(':tada: out for lunch\n');
  const onServer = async (id: number) => (await server.as(meg).get(`/users/${id}/status`)).status;
  expect(await onServer(meg.id)).toMatchObject({status_text: 'out for lunch', emoji_name: 'tada', emoji_code: '1f389'});
  expect((await run('status', [])).out).toBe(':tada: out for lunch\n');
  expect((await run('status', ['--away'])).out).toBe(':tada: out for lunch (invisible)\n');
  expect(JSON.parse((await run('status', ['--json'])).out)).toEqual({
    userId: meg.id,
    text: 'out for lunch',
    emojiName: 'tada',
    isAway: true,
  });
  expect((await run('status', ['--back', '--clear'])).out).toBe('No status.\n');
  expect(await onServer(meg.id)).toEqual({});
  expect(await asOwner.run('status', ['sick', '--user', '@Otto Other'])).toMatchObject({code: 0, out: 'sick\n'});
  expect((await run('status', ['--user', otto.email])).out).toBe('sick\n');
  expect((await run('status', ['x', '--user', otto.email])).code).toBe(5);
  expect((await run('status', ['🦉'.repeat(60)])).code).toBe(0);
  expect(await run('status', ['x', '--emoji', 'nonsense'])).toMatchObject({
    code: 1,
    err: "Emoji 'nonsense' does not exist.\n",
  });
});

test('user show and list: the profile is printed, also by e-mail address', async () => {
  const {run, asOwner, server, otto, owner} = await verbScene();
  const {id} = await server.as(owner).post('/realm/profile_fields', {name: 'Team', field_type: 1});
  const mentor = await server.as(owner).post('/realm/profile_fields', {name: 'Mentor', field_type: 6});
  const profile_data = [
    {id, value: 'Tides'},
    {id: mentor.id, value: [owner.id]},
  ];
  await server.as(owner).patch(`/users/${otto.id}`, {profile_data});
  const {out} = await run('user show', ['@Otto Other']);
  expect(out).toMatch(/^Name {4}Otto Other\nE-mail {2}\S+\n/);
  expect(out).toContain('Role    member\n');
  expect(out).toContain('Team    Tides\nMentor  Olive Owner\n');
  const shown = JSON.parse((await asOwner.run('user show', [otto.email, '--json'])).out);
  expect(shown).toMatchObject({
    id: otto.id,
    role: 'member',
    fields: [{name: 'Team', value: 'Tides'}, {name: 'Mentor'}],
  });
  expect((await run('user show', [otto.email])).out).toContain('Mentor  Olive Owner\n');
  expect(await run('user show', ['nobody@example.com'])).toMatchObject({code: 1, err: 'No such user.\n'});
  expect((await run('user list', ['otto'])).out).toContain('Otto Other');
});

test('user update: name, role and profile, by administrators only', async () => {
  const {run, asOwner, server, otto, owner, meg} = await verbScene();
  const {id: team} = await server.as(owner).post('/realm/profile_fields', {name: 'Team', field_type: 1});
  const {id: mentor} = await server.as(owner).post('/realm/profile_fields', {name: 'Mentor', field_type: 6});
  const fields = ['--field', 'team=Tides', '--field', 'Mentor=@Meg Member'];
  const {code, out} = await asOwner.run('user update', [
    '@Otto Other',
    '--name',
    'Otto O',
    '--role',
    'moderator',
    ...fields,
  ]);
  expect([code, out]).toEqual([0, 'Changed @Otto Other.\n']);
  const user = async () =>
    (await server.as(owner).get(`/users/${otto.id}`, {include_custom_profile_fields: true})).user;
  expect(await user()).toMatchObject({
    full_name: 'Otto O',
    role: 300,
    profile_data: {[team]: {value: 'Tides'}, [mentor]: {value: JSON.stringify([meg.id])}},
  });
  expect(await asOwner.run('user update', [otto.email, '--role', 'guest', '--field', 'Team='])).toMatchObject({
    code: 0,
  });
  expect((await user()).role).toBe(600);
  expect((await user()).profile_data[team]).toBeUndefined();
  expect(await run('user update', [otto.email, '--role', 'owner'])).toEqual({
    code: 5,
    out: '',
    err: 'Only administrators can change other users.\n',
  });
  expect(await asOwner.run('user update', [otto.email])).toMatchObject({code: 2});
  expect(await asOwner.run('user update', [otto.email, '--field', 'Tean=x'])).toMatchObject({
    code: 1,
    err: 'There is no profile field called “Tean”. Did you mean “Team”?\n',
  });
  const choices = {0: {text: 'Early shift', order: '1'}, 1: {text: 'Late shift', order: '2'}};
  const dropdown = {name: 'Shift', field_type: 3, field_data: JSON.stringify(choices)};
  const {id: shift} = await server.as(owner).post('/realm/profile_fields', dropdown);
  expect(await asOwner.run('user update', [otto.email, '--field', 'shift=late SHIFT'])).toMatchObject({code: 0});
  expect((await user()).profile_data[shift]).toMatchObject({value: '1'});
  expect(await asOwner.run('user update', [otto.email, '--field', 'Shift=night'])).toMatchObject({
    code: 1,
    err: '“Shift” has no choice “night”. Choices: Early shift, Late shift.\n',
  });
  expect(await asOwner.run('user update', [otto.email, '--field', 'Shift=0'])).toMatchObject({code: 0});
  expect((await user()).profile_data[shift]).toMatchObject({value: '0'});
  const two = ['--field', 'Mentor=@Meg Member, @Olive Owner'];
  expect(await asOwner.run('user update', [otto.email, ...two])).toMatchObject({code: 0});
  expect((await user()).profile_data[mentor]).toMatchObject({value: JSON.stringify([meg.id, owner.id])});
  server.people.setting('can_change_user_emails_group', SystemGroup.owners);
  expect(await asOwner.run('user update', [otto.email, '--email', 'otto@new.example'])).toMatchObject({code: 0});
  expect((await user()).delivery_email).toBe('otto@new.example');
  const last = await asOwner.run('user update', ['me', '--role', 'member']);
  expect([last.code, last.err.endsWith('.\n')]).toEqual([1, true]);
});

test('user deactivate and reactivate', async () => {
  const {run, asOwner, server, otto, owner} = await verbScene();
  const isActive = async () => (await server.as(owner).get(`/users/${otto.id}`)).user.is_active;
  expect(await run('user deactivate', ['@Otto Other'])).toMatchObject({code: 5, out: ''});
  expect(await asOwner.run('user deactivate', ['@otto'])).toMatchObject({
    code: 1,
    err: 'No user is called “otto”. Did you mean “Otto Other”?\n',
  });
  expect(await asOwner.run('user show', ['@otto'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Otto Other'),
  });
  expect(await asOwner.run('user deactivate', ['@Otto Other'])).toEqual({
    code: 0,
    out: 'Deactivated Otto Other.\n',
    err: '',
  });
  expect(await isActive()).toBe(false);
  expect(await asOwner.run('user reactivate', [String(otto.id), '--json'])).toMatchObject({code: 0});
  expect(await isActive()).toBe(true);
});

test('user deactivate and reactivate: the comment is sent, and of several those done before a failure are named', async () => {
  const {asOwner, otto, meg, fault} = await verbScene();
  expect(await asOwner.run('user deactivate', ['@Otto Other', '--comment', 'x'.repeat(2001)])).toMatchObject({
    code: 1,
    err: expect.stringContaining('comment is too long'),
  });
  await fault({method: 'DELETE', path: `/users/${meg.id}`, kind: 'status', status: 400, code: 'BAD_REQUEST'});
  expect(await asOwner.run('user deactivate', [String(otto.id), String(meg.id)])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Deactivated Otto Other\. Then this failed:\n./),
  });
});

test('user deactivate: the owner of a bot and administrators deactivate it', async () => {
  const {run, asOwner, server, meg, owner} = await verbScene();
  const bots = [server.people.bot('Beep', meg), server.people.bot('Boop', meg), server.people.bot('Bop', owner)];
  const active = async () => {
    const {members} = await server.as(owner).get('/users');
    return members.filter((one: {is_bot: boolean; is_active: boolean}) => one.is_bot && one.is_active).length;
  };
  const before = await active();
  const withComment = await run('user deactivate', ['@Beep', '--comment', 'bye']);
  expect(withComment).toMatchObject({code: 2, out: '', err: expect.stringContaining('“Beep” is a bot.')});
  expect(await run('user deactivate', ['@Beep'])).toMatchObject({code: 0, out: 'Deactivated Beep.\n'});
  expect(await run('user deactivate', ['@Boop', '@Bop'])).toMatchObject({code: 5, out: ''});
  expect(await asOwner.run('user deactivate', ['@Boop', '@Bop'])).toMatchObject({out: 'Deactivated Boop, Bop.\n'});
  expect(before - (await active())).toBe(bots.length);
});

test('invite: people are invited, and invitations listed, sent again and revoked', async () => {
  const {asOwner, otto, server} = await verbScene();
  const {run} = asOwner;
  const sent = await run('invite', [
    'a@example.com,b@example.com',
    'a@example.com',
    '--role',
    'guest',
    '--channel',
    'general',
    '--expires',
    '3',
  ]);
  expect(sent).toMatchObject({code: 0, err: ''});
  expect(sent.out).toMatch(
    /^Invited a@example\.com, b@example\.com\.\nThis server sends no e-mail\. .*\na@example\.com +http\S+\/join\/\S+\nb@example\.com +http\S+\n$/,
  );
  const stored = (email: string) =>
    server.context.db.get('SELECT include_default_channels, notify_referrer FROM invite WHERE email = ?', email);
  expect(stored('a@example.com')).toMatchObject({include_default_channels: 0, notify_referrer: 1});
  expect((await run('invite', ['quiet@example.com', '--quiet'])).code).toBe(0);
  expect(stored('quiet@example.com')).toMatchObject({include_default_channels: 1, notify_referrer: 0});
  server.context.db.run(`DELETE FROM invite WHERE email = 'quiet@example.com'`);
  const {id: crew} = JSON.parse((await run('group create', ['crew', '--json'])).out);
  await run('invite', ['crew@example.com', '--group', 'crew']);
  const invited = server.context.db.value('SELECT group_ids FROM invite WHERE email = ?', 'crew@example.com');
  expect(invited).toBe(JSON.stringify([crew]));
  server.context.db.run(`DELETE FROM invite WHERE email = 'crew@example.com'`);
  const link = await run('invite link', ['--expires', 'never', '--json']);
  expect(JSON.parse(link.out).url).toMatch(/^http/);
  const invites = async () => JSON.parse((await run('invite list', ['--json'])).out);
  const all = await invites();
  expect(all).toHaveLength(3);
  const [first] = all.filter(({email}: {email: string | null}) => email === 'a@example.com');
  const [url] = all.filter(({id}: {id: string}) => id.startsWith('link-'));
  expect(first).toMatchObject({role: 'guest', expiresAt: expect.any(Number), url: null});
  expect(url).toMatchObject({role: 'member', expiresAt: null});
  expect((await run('invite list', [])).out).toMatch(/a@example\.com .*guest {3}until \d{4}-.* by Olive Owner\n/);
  const resent = await run('invite resend', [first.id]);
  expect(resent.out).toMatch(/^Extended 1 invitation\. This server sends no e-mail\.\n\d+ +http\S+\/join\/\S+\n$/);
  expect(await run('invite revoke', [first.id, url.id])).toMatchObject({code: 0, out: 'Revoked 2 invitations.\n'});
  expect(await invites()).toHaveLength(1);
  const partly = await run('invite', [otto.email, 'c@example.com']);
  expect(partly.out).toMatch(/^Invited c@example\.com\.\n.*\nc@example\.com +http\S+\n$/);
  expect([partly.code, partly.err]).toEqual([1, expect.stringContaining(`${otto.email}: Already has an account.`)]);
});

test('invite: without the permission it is exit code 5', async () => {
  const {server} = await verbScene();
  const {run} = verbFixture(server, server.people.guest());
  const refused = {code: 5, out: '', err: 'You do not have permission to invite people.\n'};
  expect(await run('invite', ['a@example.com'])).toEqual(refused);
  expect(await run('invite link', [])).toEqual(refused);
});
