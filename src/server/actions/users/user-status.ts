import {emitUserEvent} from '#server/actions/events/user-events.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {type StatusRow, saveStatus, statusOf} from '#server/db/user-status.ts';
import {badRequest} from '#server/http/errors.ts';
import {changeUserSettings} from './update-account.ts';

export interface StatusInput {
  readonly status_text?: string | undefined;
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
  /** The legacy name of not sharing one's presence. */
  readonly away?: boolean | undefined;
}

/** Changes the fields of the status that are defined in `input`. */
export function setUserStatus(act: ActionContext, user: UserRow, input: StatusInput): void {
  const {status_text, emoji_name, away} = input;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('Client did not pass any new values.');
  }
  const changes = {...checkedText(status_text), ...checkedEmoji(act, input)};
  if (away !== undefined) changeUserSettings(act, user, {presence_enabled: !away});
  saveStatus(act.db, {...statusOf(act.db, user.id), ...changes});
  emitUserEvent(act, 'user_status', user, {user_id: user.id, ...changes, ...(away === undefined ? {} : {away})});
}

type StatusChange = Partial<Omit<StatusRow, 'user_id' | 'away'>>;

function checkedText(input: string | undefined): StatusChange {
  if (input === undefined) return {};
  const status_text = input.trim();
  if (status_text.includes('\0')) throw badRequest('status_text must not contain null bytes');
  return {status_text};
}

function checkedEmoji(act: ActionContext, {emoji_name, emoji_code, reaction_type}: StatusInput): StatusChange {
  if (emoji_name === undefined) {
    if (emoji_code || reaction_type) {
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
    }
    return {};
  }
  if (emoji_name === '') return {emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'};
  return resolveEmoji(act, {emoji_name, emoji_code, reaction_type});
}
