import {openForm} from '#app/forms/open-form.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import type {Form, FormField, FormValues} from '#ui/core/form.ts';

const systemGroups = [
  ['role:nobody', 11],
  ['role:owners', 12],
  ['role:administrators', 13],
  ['role:moderators', 14],
  ['role:fullmembers', 15],
  ['role:members', 16],
  ['role:everyone', 17],
  ['role:internet', 18],
] as const;

/** An account with users, channels and groups to choose from. */
export const formAccount = eg.state({
  users: eg.users(
    eg.user({id: 1, fullName: 'Meg Member'}),
    eg.user({id: 2, fullName: 'Otto Writer'}),
    eg.user({id: 3, fullName: 'Ana Reader'}),
  ),
  channels: eg.byId(eg.channel({id: 5, name: 'general'}), eg.channel({id: 6, name: 'books'})),
  groups: eg.byId(
    ...systemGroups.map(([name, id]) => eg.group({id, name, isSystemGroup: true})),
    eg.group({id: 30, name: 'support'}),
  ),
});

interface FormFixtureOptions {
  readonly fields: readonly FormField[] | Form['fields'];
  readonly initial: FormValues | Form['initial'];
  readonly size?: string;
  readonly isReadOnly?: boolean;
  readonly clock?: Clock;
  readonly form?: Partial<Form>;
}

/** A form in an app without a server; `saved` has the changes of each save. */
export function formFixture(options: FormFixtureOptions) {
  const {fields, initial, size = '80x24', isReadOnly = false, form: more = {}} = options;
  const {clock = systemClock} = options;
  const session = unstartedSession(formAccount, clock);
  const fixture = appFixture({session, size, clock, info: {isReadOnly}});
  const saved: FormValues[] = [];
  const form: Form = {
    id: 'example',
    title: 'Example',
    initial: typeof initial === 'function' ? initial : () => initial,
    fields: typeof fields === 'function' ? fields : () => fields,
    save: async (_app, changes) => {
      saved.push(changes as FormValues);
      return 'Example saved';
    },
    ...more,
  };
  const {app} = fixture;
  openForm(app, form);
  return {
    ...fixture,
    form,
    saved,
    reopen: () => openForm(app, form),
    /** The lines between the borders. */
    lines: () =>
      overlayText(app.frame)
        .slice(1, -1)
        .map((line) => line.replace(/^[│|]/, '').replace(/[│|]$/, '').trimEnd()),
    text: () => overlayText(app.frame).join('\n'),
  };
}
