import {expect, test} from 'vitest';
import {openChannelForm, openNewChannelForm} from '#app/channels/channel-form.ts';
import type {App} from '#app/core/app.ts';
import {groups} from '#app/groups/group-list.ts';
import {linkifiers} from '#app/organization/linkifier-form.ts';
import {openSettingForm} from '#app/organization/organization-menu.ts';
import {organizationSections} from '#app/organization/organization-settings.ts';
import {profileFields} from '#app/organization/profile-field-form.ts';
import {bots} from '#app/people/bot-form.ts';
import {invitations} from '#app/people/invite-form.ts';
import {openCreateUserForm, openDeactivationForm, openPersonForm} from '#app/people/person-form.ts';
import {ownSshKeys} from '#app/personal/ssh-keys.ts';
import {pasteIntoFocusedInput} from '#app/text-input.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {organizationFixture} from '#test/app/organization/organization-fixture.ts';
import {changeFaults} from '#test/support/faults.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';
import {isSlowTier} from '#test/support/tier.ts';
import {openedForm} from '#ui/forms/form-view.ts';

type Parts = Awaited<ReturnType<typeof organizationFixture>>;

/** A form that is sent with one request. */
interface FormStory {
  readonly method: string;
  readonly path: string;
  fill(parts: Parts): void;
  /** Returns how many things the server has that the form made. */
  count(parts: Parts): Promise<number>;
}

const forms: Readonly<Record<string, FormStory>> = {
  'new channel': {
    method: 'POST',
    path: '/channels/create',
    fill: ({app, type}) => {
      openNewChannelForm(app);
      type('tides');
    },
    count: async ({owner}) => (await owner.get('/streams')).streams.filter(hasName('tides')).length,
  },
  'channel settings': {
    method: 'PATCH',
    path: '/streams',
    fill: ({app, fill, fixture}) => {
      openChannelForm(app, fixture.channelId);
      fill('Name', 'tides');
    },
    count: async ({owner}) => (await owner.get('/streams')).streams.filter(hasName('tides')).length,
  },
  'new group': {
    method: 'POST',
    path: '/user_groups/create',
    fill: ({app, type}) => {
      groups.openNew(app);
      type('tides');
    },
    count: async ({owner}) => (await owner.get('/user_groups')).user_groups.filter(hasName('tides')).length,
  },
  'new SSH key': {
    method: 'POST',
    path: '/parley/ssh_keys',
    fill: ({app}) => {
      ownSshKeys.openNew(app);
      // Two spaces in the comment, which the server keeps as one.
      pasteIntoFocusedInput(app, newKeyLine('meg  at home'));
    },
    count: async ({fixture}) => (await fixture.server.as(fixture.meg).get('/parley/ssh_keys')).ssh_keys.length,
  },
  'new linkifier': {
    method: 'POST',
    path: '/realm/filters',
    fill: ({app, type, fill}) => {
      linkifiers.openForm(app, undefined);
      type('#(?P<id>[0-9]+)');
      fill('URL template', 'https://tides.example/{id}');
    },
    count: async ({owner}) => (await owner.get('/realm/linkifiers')).linkifiers.length,
  },
  'new profile field': {
    method: 'POST',
    path: '/realm/profile_fields',
    fill: ({app, fill}) => {
      profileFields.openForm(app, undefined);
      fill('Label', 'tides');
    },
    count: async ({owner}) => (await owner.get('/realm/profile_fields')).custom_fields.filter(hasName('tides')).length,
  },
  'organization settings': {
    method: 'PATCH',
    path: '/realm',
    fill: ({app, fill}) => {
      const section = organizationSections().find(({id}) => id === 'profile');
      if (section !== undefined) openSettingForm(app, section);
      fill('Name', 'Tides');
    },
    count: async ({owner}) =>
      (await owner.post('/register', {fetch_event_types: ['realm']})).realm_name === 'Tides' ? 1 : 0,
  },
  'account of a person': {
    method: 'PATCH',
    path: '/users',
    fill: ({app, fixture, fill}) => {
      openPersonForm(app, fixture.otto.id);
      fill('Name', 'Tides');
    },
    count: async ({owner}) => (await owner.get('/users')).members.filter(hasFullName('Tides')).length,
  },
  'new account': {
    method: 'POST',
    path: '/users',
    fill: ({app, type, fill}) => {
      openCreateUserForm(app);
      type('tides@example.com');
      fill('Name', 'Tides');
      fill('Password', 'correct horse battery staple');
    },
    count: async ({owner}) => (await owner.get('/users')).members.filter(hasFullName('Tides')).length,
  },
  'deactivation of a person': {
    method: 'DELETE',
    path: '/users',
    fill: ({app, fixture}) => openDeactivationForm(app, fixture.otto.id),
    count: async ({owner, fixture}) => ((await owner.get(`/users/${fixture.otto.id}`)).user.is_active ? 0 : 1),
  },
  'new bot': {
    method: 'POST',
    path: '/bots',
    fill: ({app, type, fill}) => {
      bots.openNew(app);
      type('Tides');
      fill('Username', 'tides');
    },
    count: async ({owner}) => (await owner.get('/users')).members.filter(hasFullName('Tides')).length,
  },
  'invitation link': {
    method: 'POST',
    path: '/invites/multiuse',
    fill: ({app}) => invitations.openForm(app, undefined, {kind: 'link'}),
    count: async ({owner}) => (await owner.get('/invites')).invites.length,
  },
};

function hasFullName(name: string): (one: {readonly full_name: string}) => boolean {
  return (one) => one.full_name === name;
}

function hasName(name: string): (one: {readonly name: string}) => boolean {
  return (one) => one.name === name;
}

const outcomes = {refused: 'not done', unknown: 'unknown'} as const;

/** What the screen says about the form; undefined while it is being saved. A form that was saved is closed. */
function outcomeOf(app: App): 'done' | 'not done' | 'unknown' | undefined {
  const kind = openedForm(app)?.progress.kind;
  if (kind === undefined) return 'done';
  return kind === 'refused' || kind === 'unknown' ? outcomes[kind] : undefined;
}

const cases = Object.entries(forms).flatMap(([name, form]) => changeFaults.map((one) => ({name, form, ...one})));

/** Sends a form that meets a fault. */
async function sendUnderFault({form, fault, made}: (typeof cases)[number]): Promise<void> {
  const parts = await organizationFixture('owner');
  const {app, press, fixture} = parts;
  form.fill(parts);
  const {method, path} = form;
  await fixture.hook('fault', {method, path, ...fault});
  press('Ctrl-D');
  await untilApp(app, () => outcomeOf(app) !== undefined);
  const said = outcomeOf(app);
  expect(await fixture.hook('clear-faults')).toMatchObject({left: 0});
  const count = await form.count(parts);
  expect([0, 1]).toContain(count);
  // A change that may be repeated is made in the end.
  if (made === 1) expect(count).toBe(1);
  if (said !== 'unknown') expect(said).toBe(count === 1 ? 'done' : 'not done');
}

test.each(isSlowTier ? cases : cases.filter(({title}) => title === 'a lost response'))(
  'form $name: after $title, the screen says what the server has',
  sendUnderFault,
);
