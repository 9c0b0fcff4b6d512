import {expect, test} from 'vitest';
import {setFieldValue} from '#app/forms/open-form.ts';
import {openOrganizationMenu, openSettingForm} from '#app/organization/organization-menu.ts';
import {type OrganizationSetting, organizationSections} from '#app/organization/organization-settings.ts';
import type {FormValue} from '#ui/core/form.ts';
import {formView, openedForm} from '#ui/forms/form-view.ts';
import {updateRealm} from '#wire/endpoints/organization.ts';
import {organizationFixture, type RoleName} from './organization-fixture.ts';

const sections = organizationSections();

function sectionOf(id: string) {
  const section = sections.find((one) => one.id === id);
  if (section === undefined) throw new Error(`no section ${id}`);
  return section;
}

test('organization settings: each setting of the API is in one section', () => {
  const names = sections.flatMap(({settings}) => settings.map(({name}) => name));
  expect(new Set(names).size).toBe(names.length);
  // Two settings have an older name, which only older servers get.
  const older = ['allow_edit_history', 'mandatory_topics'];
  // Settings about logins, email, pictures and the web app have no form here.
  const elsewhere = [
    'authentication_methods',
    'string_id',
    'can_manage_billing_group',
    'can_summarize_topics_group',
    'digest_emails_enabled',
    'digest_weekday',
    'gif_rating_policy',
    'media_preview_size',
    'message_content_allowed_in_email_notifications',
    'org_type',
    'require_e2ee_push_notifications',
    'send_channel_events_messages',
    'send_welcome_emails',
    'want_advertise_in_communities_directory',
    'welcome_message_custom_text',
    'zulip_update_announcements_stream_id',
  ];
  expect([...names, ...older, ...elsewhere].sort()).toEqual(Object.keys(updateRealm.params).sort());
});

/** The values that are set in the next test where the opposite or the next choice is not enough. */
const newValues: Readonly<Record<string, readonly [form: FormValue, wire: unknown]>> = {
  name: ['Sea', 'Sea'],
  description: ['About the *sea*', 'About the *sea*'],
  default_language: ['de', 'de'],
  default_code_block_language: ['python', 'python'],
  waiting_period_threshold: [3, 3],
  message_retention_days: ['other', 365],
  message_content_edit_limit_seconds: [null, null],
  message_content_delete_limit_seconds: ['other', 600],
  move_messages_within_stream_limit_seconds: [86_400, 86_400],
  move_messages_between_streams_limit_seconds: [null, null],
  video_chat_provider: [1, 1],
  jitsi_server_url: ['https://meet.example', 'https://meet.example'],
};

/** Returns another value for the form, and the value that the server should then have. */
function newValue(
  setting: OrganizationSetting,
  before: FormValue,
  ids: {groups: readonly number[]; channels: readonly number[]},
) {
  const given = newValues[setting.name];
  if (given !== undefined) return given;
  switch (setting.kind) {
    case 'switch':
      return [before !== true, setting.isInverted === true ? before === true : before !== true] as const;
    case 'choice': {
      const value = setting.choices.find((choice) => choice.value !== before)?.value ?? null;
      return [value, value] as const;
    }
    case 'group': {
      const value = ids.groups.find((id) => id !== before) ?? 0;
      return [value, value] as const;
    }
    default: {
      const id = (setting.kind === 'channel' && setting.isPrivate === true ? ids.channels[1] : ids.channels[0]) ?? 0;
      return [[id], id] as const;
    }
  }
}

test.each(sections)(
  'organization settings: an owner changes all of “$title”, and undo restores them',
  async (section) => {
    const {fixture, app, owner, press, closed, toast, until, state} = await organizationFixture('owner');
    const {server, meg, channelId} = fixture;
    await owner.post('/realm/domains', {domain: 'example.com', allow_subdomains: true});
    await owner.patch('/realm', {video_chat_provider: 0});
    const secret = (
      await server.as(meg).post('/channels/create', {name: 'x', subscribers: [meg.id], invite_only: true})
    ).id;
    await until(
      ({channels, domains, realm}) => channels.has(secret) && domains.length === 1 && realm.videoChatProvider === 0,
    );
    const groupNamed = (name: string) => [...state().groups.values()].find((group) => group.name === name)?.id ?? 0;
    const listener = await server.as(meg).listen({fetch_event_types: ['realm']});
    openSettingForm(app, section);
    const form = openedForm(app)?.form;
    if (form === undefined) throw new Error('no form');
    const expected: Record<string, unknown> = {};
    for (const setting of section.settings) {
      const before = formView(app.frame, form).initial[setting.name] ?? null;
      const isAccess = setting.name === 'can_access_all_users_group';
      const groups = ['role:moderators', 'role:administrators'].map(groupNamed);
      const ids = {groups: isAccess ? [groupNamed('role:members')] : groups, channels: [channelId, secret]};
      const [value, wire] = newValue(setting, before, ids);
      setFieldValue(app, form, setting.name, value);
      expected[`realm_${setting.name}`] = wire;
    }
    expect(formView(app.frame, form).changed.map(({key}) => key)).toEqual(section.settings.map(({name}) => name));
    const queue = await server.as(fixture.otto).listen({event_types: ['realm']});
    press('Ctrl-D');
    await closed();
    await toast('Changed settings: ');
    const snapshot = async () => (await server.as(meg).listen({fetch_event_types: ['realm']})).state;
    expect(await snapshot()).toMatchObject(expected);
    expect((await queue.events()).length).toBeGreaterThan(0);
    press('z');
    await toast('Restored settings: ');
    const before = Object.keys(expected).map((name) => [name, listener.state[name]]);
    expect(await snapshot()).toMatchObject(Object.fromEntries(before));
  },
);

test.each([
  ['administrator', 'Only owners can change this', 'Waiting period', 'Visitors without account'],
  ['moderator', 'Only administrators can change this', 'Visitors without account', undefined],
  ['member', 'Only administrators can change this', 'Visitors without account', undefined],
  ['guest', 'Only administrators can change this', 'Visitors without account', undefined],
] as const)('organization settings: a %s sees “%s”', async (role: RoleName, reason, refused, allowed) => {
  const {app, press, goTo, overlay} = await organizationFixture(role);
  openSettingForm(app, sectionOf('joining'));
  goTo(refused);
  expect(overlay()).toContain(reason);
  if (allowed === undefined) return;
  goTo(allowed);
  press('Space');
  expect(overlay()).toContain('1 change: visitors without account');
});

test('organization settings: a search finds each setting, and its form opens there', async () => {
  const {app, press, type, overlay} = await organizationFixture('owner');
  openOrganizationMenu(app);
  type('time limit for editing');
  press('Enter');
  expect(overlay()).toMatch(/▌ {2}Time limit for editing +< 10 minutes >/);
  press('Esc', 'Ctrl-U');
  type('linkif');
  press('Enter');
  expect(overlay()).toContain('New linkifier…');
});

test('organization settings: a limit of other minutes, limits of texts, and changes of others while it is open', async () => {
  const {app, owner, press, type, goTo, fill, overlay, says, until, closed} =
    await organizationFixture('administrator');
  openSettingForm(app, sectionOf('editing'));
  goTo('Time limit for editing');
  type('other');
  press('Enter');
  fill('Time limit for editing, minutes', '0');
  expect(overlay()).toContain('At least 1');
  fill('Time limit for editing, minutes', '45');
  await owner.patch('/realm', {message_edit_history_visibility_policy: 'none'});
  await says(/Edit history +Hidden/);
  press('Ctrl-D');
  await until(({realm}) => realm.messageContentEditLimitSeconds === 2700);
  await closed();
  openSettingForm(app, sectionOf('profile'));
  fill('Name', 'x'.repeat(41));
  expect(overlay()).toContain('1 character too long');
  fill('Language', 'german!');
  expect(overlay()).toContain('Write a code such as en, de or pt-br');
});

test('organization settings: a permission that another client changed unseen is not overwritten', async () => {
  const {app, press, goTo, says, unseen} = await organizationFixture('owner');
  openSettingForm(app, sectionOf('groups'));
  goTo('Create bots');
  press('Enter', 'Down', 'Enter');
  unseen(`INSERT OR REPLACE INTO realm_setting (name, value) VALUES ('can_create_bots_group', '2')`);
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/▌\* Create bots .*\n.*does not match/);
});

test('organization settings: the server’s refusal is shown at its field', async () => {
  const {fixture, app, press, type, goTo, says, until, unseen} = await organizationFixture('owner');
  const {server, meg} = fixture;
  const args = {name: 'reports', subscribers: [meg.id], invite_only: true};
  const {id} = await server.as(meg).post('/channels/create', args);
  await until(({channels}) => channels.has(id));
  openSettingForm(app, sectionOf('announcements'));
  goTo('Reports to moderators');
  type('reports');
  press('Enter');
  unseen(`UPDATE channel SET invite_only = 0 WHERE id = ${id}`);
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/▌\* Reports to moder.*#reports.*\n(?:.*\n)?.*must be private/);
});

test('organization settings: what an older server lacks is greyed with the release', async () => {
  const {app, goTo, overlay} = await organizationFixture('owner', {server: {level: 237}});
  openSettingForm(app, sectionOf('moving'));
  expect(overlay()).toMatch(/Resolve topics +not on this server/);
  goTo('Resolve topics');
  expect(overlay()).toContain('Needs Zulip 10');
});

test('organization settings: a read-only session changes nothing', async () => {
  const {app, press, goTo, overlay} = await organizationFixture('owner', {app: {info: {isReadOnly: true}}});
  openSettingForm(app, sectionOf('guests'));
  goTo('Mark guests');
  press('Space', 'Ctrl-D');
  expect(overlay()).toContain('Not saved: This session is read-only: nothing is changed');
});
