import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {goToField} from '#test/support/form-keys.ts';
import {overlayRows} from '#test/support/overlay-text.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {roles} from '#wire/objects/user.ts';

export type RoleName = keyof typeof roles;

/** Meg's client with a role, and keys that go to a field of the open form by its label. */
export async function organizationFixture(role: RoleName, options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {app, press, type, session, fixture} = parts;
  const {server, meg} = fixture;
  const owner = server.as(server.people.owner());
  if (role !== 'member') {
    await owner.patch(`/users/${meg.id}`, {role: roles[role]});
    await waitForState(session, ({users}) => users.get(meg.id)?.role === roles[role]);
  }
  const goTo = goToField(app, press);
  return {
    ...parts,
    owner,
    goTo,
    /** Replaces the text of a field. */
    fill: (label: string, text: string) => {
      goTo(label);
      press('Ctrl-U');
      type(text);
    },
    /** The rows of the open list without its filter. */
    rows: () => overlayRows(app).slice(1),
    toast: (text: string | RegExp) =>
      untilApp(app, () => {
        const shown = app.screen.toast?.text ?? '';
        return typeof text === 'string' ? shown.startsWith(text) : text.test(shown);
      }),
    closed: () => untilApp(app, () => openedForm(app) === undefined),
    until: (holds: Parameters<typeof waitForState>[1]) => waitForState(session, holds),
    state: () => session.cache.state,
    /** Changes the server's database without an event, so that the client does not know. */
    unseen: (sql: string) => {
      server.context.db.run(sql);
      server.context.derivedFacts.invalidateAll();
    },
  };
}
