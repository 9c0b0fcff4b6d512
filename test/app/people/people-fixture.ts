import {
  type MessageFixture,
  type MessageFixtureOptions,
  messageFixture,
  untilApp,
} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {goToField} from '#test/support/form-keys.ts';
import type {Person} from '#test/support/people.ts';
import {roles} from '#wire/objects/user.ts';

export interface PeopleFixture extends MessageFixture {
  /** An owner who changes things from another client. */
  readonly olive: Person;
  /** Moves to the row of the open form with this label. */
  goTo(label: string): void;
  /** Runs a command from the palette. */
  command(title: string): void;
  /** Waits until no overlay is open. */
  closed(): Promise<void>;
}

/** Meg's client, with a role, and keys that go to a field of the open form by its label. */
export async function peopleFixture(
  role: keyof typeof roles = 'member',
  options: MessageFixtureOptions = {},
): Promise<PeopleFixture> {
  const parts = await messageFixture(options);
  const {app, press, type, session, fixture} = parts;
  const {server, meg} = fixture;
  const olive = server.people.owner();
  if (role !== 'member') await server.as(olive).patch(`/users/${meg.id}`, {role: roles[role]});
  // Olive was added without an event.
  await fixture.hook('expire-queues');
  await waitForState(session, ({users}) => users.has(olive.id) && users.get(meg.id)?.role === roles[role]);
  return {
    ...parts,
    olive,
    goTo: goToField(app, press),
    command: (title) => {
      press('Ctrl-G');
      type(`>${title}`);
      press('Enter');
    },
    closed: () => untilApp(app, () => app.screen.overlays.length === 0),
  };
}
