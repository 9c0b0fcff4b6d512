import type {PendingAction} from '#state/actions/reversible-actions.ts';

const flagTexts = {
  read: ['read', 'unread'],
  starred: ['starred', 'unstarred'],
  collapsed: ['collapsed', 'expanded'],
} as const;

type OtherKind = Exclude<PendingAction['kind'], 'flags'>;

const names: Readonly<Record<OtherKind, string>> = {
  reaction: 'a reaction',
  topicPolicy: 'muting or following a topic',
  subscription: 'a setting of a channel',
  setting: 'a change of your settings',
  status: 'your status',
  mutedUser: 'muting a user',
  alertWords: 'your alert words',
  navigationView: 'a pinned view',
  fullName: 'your name',
  profileField: 'your profile',
  oldRead: 'marking older messages read',
};

/** Returns a name for a change that the server has not confirmed. */
export function actionName(action: PendingAction): string {
  if (action.kind !== 'flags') return names[action.kind];
  const what = action.ids.length === 1 ? 'a message' : `${action.ids.length} messages`;
  const [add, remove] = flagTexts[action.flag];
  return `marking ${what} ${action.op === 'add' ? add : remove}`;
}
