import type {AppSettings} from '#app/core/settings.ts';
import type {Settings} from '#config/settings.ts';
import type {NoteStore} from '#state/account-store.ts';

const markRead: Readonly<Record<Settings['markRead'], AppSettings['markRead']>> = {
  server: 'server',
  'on-view': 'onView',
  'on-done': 'onDone',
};

/** What was answered when an account that wants new lines from Enter was first opened. */
const enterNote = 'enter';
type EnterAnswer = 'send' | 'account';

/** The settings of the screen: the file's, and what this account was asked. */
export function appSettings(settings: Settings, notes: Pick<NoteStore, 'get'>): AppSettings {
  return {
    readOn: settings.readOn,
    markRead: markRead[settings.markRead],
    afterReply: settings.afterReply,
    undoSendSeconds: settings.undoSendSeconds,
    enterSends: enterSends(settings, notes),
  };
}

/** Enter sends, unless the account says otherwise and somebody said that this is how they want it here. */
function enterSends(settings: Settings, notes: Pick<NoteStore, 'get'>): boolean | undefined {
  if (settings.enterSends !== 'auto') return settings.enterSends === 'yes';
  return enterAnswer(notes) === 'account' ? undefined : true;
}

export function enterAnswer(notes: Pick<NoteStore, 'get'>): EnterAnswer | undefined {
  const saved = notes.get(enterNote);
  return saved === '"send"' ? 'send' : saved === '"account"' ? 'account' : undefined;
}

export function rememberEnter(notes: Pick<NoteStore, 'set'>, answer: EnterAnswer): void {
  notes.set(enterNote, JSON.stringify(answer));
}
