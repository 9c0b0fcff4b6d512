import {commandTable} from '#commands/command-table.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {goToField} from '#test/support/form-keys.ts';
import {listText} from '#test/ui/lists/list-fixture.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {roles} from '#wire/objects/user.ts';

/** Meg's client, with keys that go to a field of the open form by its label. */
export async function channelFixture(options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {app, press, session, fixture} = parts;
  const {server, meg} = fixture;
  const owner = server.people.owner();
  return {
    ...parts,
    server,
    meg,
    /** Another user with all rights. */
    owner: server.as(owner),
    state: () => session.cache.state,
    goTo: goToField(app, press),
    closed: () => untilApp(app, () => app.screen.overlays.length === 0),
    /** Changes Meg's role, and waits until her client knows it. */
    become: async (role: keyof typeof roles) => {
      await server.as(owner).patch(`/users/${meg.id}`, {role: roles[role]});
      await waitForState(session, ({users}) => users.get(meg.id)?.role === roles[role]);
    },
    /** The lines of the list of all channels. */
    rows: () => listText(app.frame, channelBrowser),
    /** Why a command cannot run now. */
    reason: (id: string) => commandTable.get(id)?.disabledReason?.(app),
    groupId: (name: string) => [...session.cache.state.groups.values()].find((group) => group.name === name)?.id ?? 0,
    /** Registers again: the client learns what was written to the database directly. */
    refresh: async (isKnown: Parameters<typeof waitForState>[1]) => {
      await fixture.hook('expire-queues');
      await waitForState(session, isKnown);
    },
  };
}
