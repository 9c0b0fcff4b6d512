import type {ConfigSettings} from '#config/settings.ts';
import type {KeyValueStore} from '#state/account-store.ts';
import type {AppSettings} from '#ui/core/settings.ts';

const markRead: Readonly<Record<ConfigSettings['markRead'], AppSettings['markRead']>> = {
  server: 'server',
  'on-view': 'onView',
  'on-done': 'onDone',
};

/**
 * The key of the user's answer to the question about Enter, which is asked when the account's setting is a new line.
 */
const enterChoiceKey = 'enter';
type EnterChoice = 'send' | 'account';

/** Returns the settings of the screen, from the configuration file and the account's saved answer about Enter. */
export function appSettings(settings: ConfigSettings, store: Pick<KeyValueStore, 'get'>): AppSettings {
  return {
    readOn: settings.readOn,
    markRead: markRead[settings.markRead],
    afterReply: settings.afterReply,
    undoSendSeconds: settings.undoSendSeconds,
    enterSends: enterSends(settings, store),
  };
}

/** Returns true (Enter sends) by default; undefined, which follows the account, when the user chose that. */
function enterSends(settings: ConfigSettings, store: Pick<KeyValueStore, 'get'>): boolean | undefined {
  if (settings.enterSends !== 'auto') return settings.enterSends === 'yes';
  return persistedEnterChoice(store) === 'account' ? undefined : true;
}

export function persistedEnterChoice(store: Pick<KeyValueStore, 'get'>): EnterChoice | undefined {
  const saved = store.get(enterChoiceKey);
  return saved === '"send"' ? 'send' : saved === '"account"' ? 'account' : undefined;
}

export function persistEnterChoice(store: Pick<KeyValueStore, 'set'>, answer: EnterChoice): void {
  store.set(enterChoiceKey, JSON.stringify(answer));
}
