import type {App} from '#app/core/app.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {inputMode} from '#commands/key-contexts.ts';
import type {KeyValueStore} from '#state/account-store.ts';
import {persistEnterChoice, persistedEnterChoice} from './app-settings.ts';

/**
 * The one question of a first start: an account that wants a new line from Enter is asked whether it is meant so here, too.
 * Whoever says nothing sends with Enter, and is not asked again. It never comes between somebody and what they are doing: who
 * writes or picks already is asked at the next start.
 */
export function askAboutEnter(app: App, notes: Pick<KeyValueStore, 'get' | 'set'>): void {
  if (persistedEnterChoice(notes) !== undefined) return;
  app.session.ready().then(
    () => {
      if (app.state.settings.enterSends !== false) persistEnterChoice(notes, 'send');
      else if (inputMode(app.screen) === 'NAV') ask(app, notes);
    },
    () => {},
  );
}

function ask(app: App, notes: Pick<KeyValueStore, 'get' | 'set'>): void {
  openPicker(app, {
    id: 'first-question',
    title: 'What should Enter do while you write?',
    isMenu: true,
    columns: 64,
    rows: () => [
      {key: 'send', label: '1  Send the message', detail: 'Ctrl-J begins a line'},
      {key: 'account', label: '2  Begin a line, as your account has it', detail: 'Ctrl-D sends'},
    ],
    accept: (_app, row) => {
      app.closeOverlay();
      choose(app, notes, row.key === 'account');
    },
    onKey: (_app, {name}) => {
      if (name !== '1' && name !== '2') return false;
      app.closeOverlay();
      choose(app, notes, name === '2');
      return true;
    },
    onClose: () => {
      // Also when it is put away unanswered.
      if (persistedEnterChoice(notes) === undefined) persistEnterChoice(notes, 'send');
    },
    hint: 'Asked once. `enter_sends` in config.toml changes it.',
  });
}

function choose(app: App, notes: Pick<KeyValueStore, 'set'>, asAccount: boolean): void {
  persistEnterChoice(notes, asAccount ? 'account' : 'send');
  app.changeSettings({enterSends: asAccount ? undefined : true});
}
