import {UsageError} from '#cli/io.ts';
import {ownStatus} from '#cli/messages/unread-overview.ts';
import {emojiNameArgument, userArgument} from '#cli/name-arguments.ts';
import {stateVerb} from './account-verb.ts';
import {statusResult} from './status.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

/** The server's limit. */
const maxStatusCharacters = 60;

interface Status {
  readonly text: string;
  readonly emojiName: string;
}

/** Fetches a status, and changes it first if the arguments say so. */
export const statusFromServer: VerbRunner<'status'> = stateVerb(
  (verbArguments) => ({
    fetch: ['user_status', 'user_settings'],
    people: verbArguments.values.user === undefined ? 'self' : 'all',
    change: statusChange(verbArguments),
    presence: presenceFrom(verbArguments.values),
  }),
  async ({state, api, values}, {change, presence}) => {
    const own = ownStatus(state);
    const userId = values.user === undefined ? own.userId : userArgument(state, values.user).id;
    const isOwn = userId === own.userId;
    if (change !== undefined) {
      const args = {status_text: change.text, emoji_name: change.emojiName};
      await (isOwn ? api.updateStatus(args) : api.updateUserStatus({user_id: userId, ...args}));
    }
    if (presence !== undefined) await api.updateSettings({presence_enabled: presence});
    const before = state.statuses.get(userId);
    const now = change ?? {text: before?.statusText ?? '', emojiName: before?.emojiName ?? ''};
    const isAway = isOwn && (presence === undefined ? own.isAway : !presence);
    return statusResult({userId, ...now, ...(isOwn && {isAway})});
  },
);

/** Returns the status to set; undefined when it stays. Text and emoji are set together, as in the app. */
function statusChange({values, words}: VerbArguments<'status'>): Status | undefined {
  const text = words.join(' ').trim();
  const {emoji, clear} = values;
  if (clear) {
    if (text !== '' || emoji !== undefined) throw new UsageError('Use either --clear or a new status, not both.');
    return {text: '', emojiName: ''};
  }
  if (text === '' && emoji === undefined) return undefined;
  const length = [...text].length;
  if (length > maxStatusCharacters)
    throw new UsageError(`The status has ${length} characters; the limit is ${maxStatusCharacters}.`);
  return {text, emojiName: emoji === undefined ? '' : emojiNameArgument(emoji)};
}

/** Returns whether others see the user's presence; undefined when that stays. */
function presenceFrom({away, back, user}: VerbArguments<'status'>['values']): boolean | undefined {
  if (away && back) throw new UsageError('Use either --away or --back, not both.');
  if ((away || back) && user !== undefined) throw new UsageError('--away and --back work only for yourself.');
  return away || back ? back : undefined;
}
