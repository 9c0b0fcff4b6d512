import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {openChannelForm, openNewChannelForm} from '#app/channels/channel-form.ts';
import type {App} from '#app/core/app.ts';
import {groups} from '#app/groups/group-list.ts';
import {domainList} from '#app/organization/domains.ts';
import {folderList} from '#app/organization/folders.ts';
import {linkifiers} from '#app/organization/linkifier-form.ts';
import {profileFields} from '#app/organization/profile-field-form.ts';
import {bots} from '#app/people/bot-form.ts';
import {openSnippetList} from '#app/personal/personal-lists.ts';
import type {AccountState} from '#state/state.ts';
import {organizationFixture} from '#test/app/organization/organization-fixture.ts';
import type {FormValues} from '#ui/core/form.ts';
import {formView, openedForm} from '#ui/forms/form-view.ts';

interface CreatingForm {
  readonly file: string;
  readonly open: (app: App, press: (...keys: string[]) => void) => void;
  /** What must be typed, by the label of the field; all others keep what the form shows. */
  readonly typed: Readonly<Record<string, string>>;
  /** Opens the form of what was created; undefined until the client knows it. */
  readonly reopen: (app: App, press: (...keys: string[]) => void) => true | undefined;
}

const addInList = (open: (app: App) => void): Pick<CreatingForm, 'open' | 'reopen'> => ({
  open: (app, press) => {
    open(app);
    press('Ctrl-A');
  },
  reopen: (app, press) => {
    open(app);
    press('t', 'i', 'd', 'e', 's', 'Enter');
    return openedForm(app) === undefined ? undefined : true;
  },
});

function created(find: (state: AccountState) => number | undefined, open: (app: App, id: number) => void) {
  return (app: App) => {
    const id = find(app.state);
    if (id === undefined) return undefined;
    open(app, id);
    return true as const;
  };
}

const named = (values: Iterable<{readonly id: number; readonly name: string}>) =>
  [...values].find(({name}) => name === 'tides')?.id;

const creatingForms: readonly CreatingForm[] = [
  {
    file: 'channels/channel-form.ts',
    open: (app) => openNewChannelForm(app),
    typed: {Name: 'tides'},
    reopen: created(({channels}) => named(channels.values()), openChannelForm),
  },
  {
    file: 'groups/group-list.ts',
    open: groups.openNew,
    typed: {Name: 'tides'},
    reopen: created(
      (state) => named(state.groups.values()),
      (app, id) => groups.openForm(app, id),
    ),
  },
  {
    file: 'organization/linkifier-form.ts',
    open: (app) => linkifiers.openForm(app, undefined),
    typed: {Pattern: 'T(?P<id>[0-9]+)', 'URL template': 'https://tides.example/{id}'},
    reopen: created(
      (state) => state.linkifiers[0]?.id,
      (app, id) => linkifiers.openForm(app, id),
    ),
  },
  {
    file: 'organization/profile-field-form.ts',
    open: (app) => profileFields.openForm(app, undefined),
    typed: {Label: 'tides'},
    reopen: created(
      (state) => named(state.profileFields),
      (app, id) => profileFields.openForm(app, id),
    ),
  },
  {file: 'organization/domains.ts', ...addInList(domainList.open), typed: {Domain: 'tides.example'}},
  {file: 'organization/folders.ts', ...addInList(folderList.open), typed: {Name: 'tides'}},
  {file: 'personal/personal-lists.ts', ...addInList(openSnippetList), typed: {Title: 'tides', Text: 'They rise.'}},
  {
    file: 'people/bot-form.ts',
    open: bots.openNew,
    typed: {Name: 'Tides', Username: 'tides'},
    reopen: created(
      ({users}) => [...users.values()].find(({fullName}) => fullName === 'Tides')?.id,
      (app, id) => bots.openForm(app, id),
    ),
  },
];

/** Forms that create something without a form to see it again: they send every value that they show. */
const sentWhole: readonly string[] = [
  'channel-list/change-views.ts',
  'channels/member-list.ts',
  'message-actions/delete-and-report.ts',
  'message-actions/reminders.ts',
  'groups/group-actions.ts',
  'organization/data-exports.ts',
  'organization/default-channels.ts',
  'organization/emoji-form.ts',
  'people/invite-form.ts',
  'people/person-form.ts',
  'personal/ssh-keys.ts',
  'rules/rule-form.ts',
  'settings/add-account-form.ts',
  'settings/settings-list.ts',
];

/** Returns the values of the open form that it shows. */
function shownValues(app: App): FormValues {
  const open = openedForm(app);
  if (open === undefined) throw new Error('No form is open.');
  const {rows, values} = formView(app.frame, open.form);
  return Object.fromEntries(rows.flatMap(({kind, key}) => (kind === 'field' ? [[key, values[key] ?? null]] : [])));
}

test.each(creatingForms)('new record in $file: what its form shows is what the server has afterwards', async (form) => {
  const {app, press, fill, until} = await organizationFixture('owner');
  form.open(app, press);
  for (const [label, text] of Object.entries(form.typed)) fill(label, text);
  const shown = shownValues(app);
  press('Ctrl-D');
  await until(() => openedForm(app) === undefined);
  await until(() => {
    while (app.screen.overlays.length > 0) app.closeOverlay();
    return form.reopen(app, press) === true;
  });
  const kept = shownValues(app);
  const both = Object.keys(kept).filter((key) => key in shown);
  const pick = (values: FormValues) => Object.fromEntries(both.map((key) => [key, values[key]]));
  expect(both).not.toEqual([]);
  expect(pick(kept)).toEqual(pick(shown));
});

test('every form that creates something is compared with what the server has afterwards', () => {
  const root = new URL('../../../src/app/', import.meta.url);
  const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((path) => {
    if (path === 'forms/record-kind.ts' || !/\.tsx?$/.test(path)) return false;
    return /openForm.*\bisNew: true\b|\bcreateLabel: /s.test(readFileSync(new URL(path, root), 'utf8'));
  });
  const known = [...creatingForms.map(({file}) => file), ...sentWhole];
  expect(files.toSorted()).toEqual([...new Set(known)].toSorted());
});
