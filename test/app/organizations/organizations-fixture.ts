import type {App} from '#app/core/app.ts';
import type {Accounts} from '#app/core/host.ts';
import {OpenOrganizations} from '#app/organizations/open-organizations.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {keyOf} from '#terminal/input/key.ts';
import {type TriageFixtureOptions, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import type {Arrangement} from '#ui/core/frame.ts';

/** The accounts of several organizations as the program passes them to each app, without a terminal. */
export function accountsFixture(names: readonly string[], arrangement: Arrangement | 'separate') {
  const organizations = new OpenOrganizations(
    () => names,
    (index) => accounts.show(index),
  );
  organizations.arrangement = arrangement === 'separate' ? undefined : arrangement;
  const accounts: Accounts = {
    list: () =>
      names.map((name, index) => ({
        name,
        detail: '',
        isShown: index === organizations.shownIndex,
        unreads: undefined,
      })),
    show: (index) => {
      organizations.shownIndex = index;
      organizations.appAt(index)?.frames.announce();
    },
    isShown: (name) => organizations.isShown(name),
    together: (name) => organizations.together(name),
    appAt: (index) => organizations.appAt(index),
    showWithList: (app, index) => organizations.showWithList(app, index),
    afterInput: (app) => organizations.afterInput(app),
  };
  const shown = (): App => {
    const app = organizations.appAt(organizations.shownIndex);
    if (app === undefined) throw new Error('No account is shown');
    return app;
  };
  return {organizations, accounts, shown};
}

/** Inboxes of accounts of `triageFixture`; the first is shown. */
export function organizationsFixture(
  given: Readonly<Record<string, TriageFixtureOptions['account']>>,
  arrangement: Arrangement | 'separate' = 'grouped',
  size = '80x40',
  optionsOf: (accountName: string) => TriageFixtureOptions = () => ({}),
) {
  const names = Object.keys(given);
  const {organizations, accounts, shown} = accountsFixture(names, arrangement);
  const fixtures = names.map((accountName, index) => {
    const account = given[accountName];
    const info = {accountName, accountCount: names.length};
    const fixture = triageFixture({...(account && {account}), accounts, info, size, ...optionsOf(accountName)});
    organizations.add(index, fixture.app);
    fixture.app.frames.paintNow();
    return fixture;
  });
  shown().frames.paintNow();
  const current = () => {
    const fixture = fixtures[organizations.shownIndex];
    if (fixture === undefined) throw new Error('No account is shown');
    return fixture;
  };
  const at = () => `${shown().info.accountName}: ${current().at()}`;
  const press = (...keys: readonly string[]) => {
    for (const key of keys) current().press(key);
  };
  return {
    organizations,
    fixtures,
    shown,
    /** Presses keys, each in a separate read, in the account that is shown then. */
    press,
    /** Moves the cursor down to a row: `acme: #web › login`. */
    go: (place: string) => {
      for (let step = 0; at() !== place; step += 1) {
        if (step > 40) throw new Error(`There is no row ${place} below the cursor`);
        press('j');
      }
    },
    /** Types characters in one read. */
    type: (text: string) => {
      const events = [...text].map((character): InputEvent => ({kind: 'key', key: keyOf(character)}));
      current().router.handleEvents(shown(), events);
    },
    pane: () => current().pane(),
    at,
  };
}
