import {inputMode} from '#commands/key-contexts.ts';
import type {KeyValueStore} from '#state/account-store.ts';
import type {App} from '#ui/core/app.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {persistEnterChoice, persistedEnterChoice} from './app-settings.ts';

/**
 * Asks once, at the first start, whether Enter should start a new line when the account's setting says so. A
 * user who closes the question sends with Enter and is not asked again. It never interrupts: if the user is
 * writing or in a menu, it is asked at the next start.
 */
export function askAboutEnter(app: App, store: Pick<KeyValueStore, 'get' | 'set'>): void {
  if (persistedEnterChoice(store) !== undefined) return;
  app.session.ready().then(
    () => {
      if (app.state.settings.enterSends !== false) persistEnterChoice(store, 'send');
      else if (inputMode(app.screen) === 'NAV') ask(app, store);
    },
    () => {},
  );
}

function ask(app: App, store: Pick<KeyValueStore, 'get' | 'set'>): void {
  openPicker(app, {
    id: 'first-question',
    title: 'What should Enter do while writing?',
    isMenu: true,
    columns: 64,
    rows: () => [
      {key: 'send', label: '1  Send the message', detail: 'Ctrl-J starts a new line'},
      {key: 'account', label: '2  Start a new line, like your Zulip setting', detail: 'Ctrl-D sends'},
    ],
    accept: (_app, row) => {
      app.closeOverlay();
      choose(app, store, row.key === 'account');
    },
    onKey: (_app, {name, alt}) => {
      // Alt with a digit switches accounts.
      if (alt === true || (name !== '1' && name !== '2')) return false;
      app.closeOverlay();
      choose(app, store, name === '2');
      return true;
    },
    onClose: () => {
      // Also when the question is closed without an answer.
      if (persistedEnterChoice(store) === undefined) persistEnterChoice(store, 'send');
    },
    hint: 'Asked once. Change it later in the settings.',
  });
}

function choose(app: App, store: Pick<KeyValueStore, 'set'>, asAccount: boolean): void {
  persistEnterChoice(store, asAccount ? 'account' : 'send');
  app.changeSettings({enterSends: asAccount ? undefined : true});
}
