import {type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson} from '#cli/io.ts';
import {changeRepeatably} from '#cli/make-change.ts';
import {emojiNameArgument, userArgument} from '#cli/name-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {printableLine} from '#std/printable.ts';

/** The server's limit. */
const maxCharacters = 60;

interface Status {
  readonly text: string;
  readonly emojiName: string;
}

export const status: VerbRunner<'status'> = (verbArguments, io, signal) => {
  const {values} = verbArguments;
  const change = changeFrom(verbArguments);
  const presence = presenceFrom(values);
  const people = values.user === undefined ? 'self' : 'all';
  const needs = {fetch: ['user_status', 'user_settings'], people} as const;
  return withState(values, io, signal, needs, async (verbContext) => {
    const {state, api} = verbContext;
    const userId = values.user === undefined ? state.self.userId : userArgument(state, values.user).id;
    if (change !== undefined) await changeRepeatably(() => setStatus(verbContext, userId, change));
    if (presence !== undefined) await changeRepeatably(() => api.updateSettings({presence_enabled: presence}));
    const before = state.statuses.get(userId);
    const now = change ?? {text: before?.statusText ?? '', emojiName: before?.emojiName ?? ''};
    const isOwn = userId === state.self.userId;
    const isAway = presence === undefined ? isInvisible(verbContext) : !presence;
    if (values.json) printJson(io, {userId, ...now, ...(isOwn && {isAway})});
    else print(io, statusText(now, isOwn && isAway));
    return exitCodes.ok;
  });
};

/** Returns the status to set; undefined when it stays. Text and emoji are set together, as in the app. */
function changeFrom({values, words}: VerbArguments<'status'>): Status | undefined {
  const text = words.join(' ').trim();
  const {emoji, clear} = values;
  if (clear) {
    if (text !== '' || emoji !== undefined) throw new UsageError('Use either --clear or a new status, not both.');
    return {text: '', emojiName: ''};
  }
  if (text === '' && emoji === undefined) return undefined;
  const length = [...text].length;
  if (length > maxCharacters)
    throw new UsageError(`The status has ${length} characters; the limit is ${maxCharacters}.`);
  return {text, emojiName: emoji === undefined ? '' : emojiNameArgument(emoji)};
}

/** Returns whether others see the user's presence; undefined when that stays. */
function presenceFrom({away, back, user}: VerbArguments<'status'>['values']): boolean | undefined {
  if (away && back) throw new UsageError('Use either --away or --back, not both.');
  if ((away || back) && user !== undefined) throw new UsageError('--away and --back work only for yourself.');
  return away || back ? back : undefined;
}

async function setStatus({api, state}: StateContext, userId: number, {text, emojiName}: Status): Promise<void> {
  const args = {status_text: text, emoji_name: emojiName};
  await (userId === state.self.userId ? api.updateStatus(args) : api.updateUserStatus({user_id: userId, ...args}));
}

function isInvisible({state: {settings, statuses, self}}: StateContext): boolean {
  return settings.presenceEnabled === false || statuses.get(self.userId)?.away === true;
}

function statusText({text, emojiName}: Status, isAway: boolean): string {
  const parts = [...(emojiName === '' ? [] : [`:${emojiName}:`]), ...(text === '' ? [] : [printableLine(text)])];
  const shown = parts.length === 0 ? 'No status.' : parts.join(' ');
  return isAway ? `${shown} (invisible)` : shown;
}
