import type {AppSettings} from '#app/core/settings.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {KeyValueStore} from '#state/account-store.ts';

const markRead: Readonly<Record<ConfigSettings['markRead'], AppSettings['markRead']>> = {
  server: 'server',
  'on-view': 'onView',
  'on-done': 'onDone',
};

/** What was answered when an account that wants new lines from Enter was first opened. */
const enterNote = 'enter';
type EnterChoice = 'send' | 'account';

/** The settings of the screen: the file's, and what this account was asked. */
export function appSettings(settings: ConfigSettings, notes: Pick<KeyValueStore, 'get'>): AppSettings {
  return {
    readOn: settings.readOn,
    markRead: markRead[settings.markRead],
    afterReply: settings.afterReply,
    undoSendSeconds: settings.undoSendSeconds,
    enterSends: enterSends(settings, notes),
  };
}

/** Enter sends, unless the account says otherwise and somebody said that this is how they want it here. */
function enterSends(settings: ConfigSettings, notes: Pick<KeyValueStore, 'get'>): boolean | undefined {
  if (settings.enterSends !== 'auto') return settings.enterSends === 'yes';
  return persistedEnterChoice(notes) === 'account' ? undefined : true;
}

export function persistedEnterChoice(notes: Pick<KeyValueStore, 'get'>): EnterChoice | undefined {
  const saved = notes.get(enterNote);
  return saved === '"send"' ? 'send' : saved === '"account"' ? 'account' : undefined;
}

export function persistEnterChoice(notes: Pick<KeyValueStore, 'set'>, answer: EnterChoice): void {
  notes.set(enterNote, JSON.stringify(answer));
}
