import {emitUserEvent, statusView} from '#server/actions/events/user-events.ts';
import {resolveEmoji} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import {type StatusRow, saveStatus, statusOf} from '#server/db/personal-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, check} from '#server/errors.ts';
import {requireActivePerson, requireAdmin} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {changeUserSettings} from './update-account.ts';

export const statusRoutes: readonly Route[] = [
  route(endpoints.updateStatus, 'person', (call, params) => setUserStatus(call, call.actor, params)),
  route(endpoints.getUserStatus, 'account', (call, params) => {
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {status: statusView(statusOf(call.db, user.id))};
  }),
  route(endpoints.updateUserStatus, 'person', (call, {user_id, ...changes}) => {
    const user = requireActivePerson(call, call.actor, user_id);
    requireAdmin(call.actor);
    setUserStatus(call, user, changes);
  }),
];

/** `away` is the legacy name of not sharing one's presence. */
type StatusInput = Partial<ParamsOf<typeof endpoints.updateStatus>>;

/** Changes the fields of the status that are defined in `input`. */
export function setUserStatus(act: ActionContext, user: UserRow, input: StatusInput): void {
  const {status_text, emoji_name, away} = input;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('Client did not pass any new values.');
  }
  const changes = {...checkedStatusText(status_text), ...checkedStatusEmoji(act, input)};
  if (away !== undefined) changeUserSettings(act, user, {presence_enabled: !away});
  saveStatus(act.db, {...statusOf(act.db, user.id), ...changes});
  emitUserEvent(act, 'user_status', user, {user_id: user.id, ...changes, ...(away === undefined ? {} : {away})});
}

type StatusChange = Partial<Omit<StatusRow, 'user_id' | 'away'>>;

function checkedStatusText(input: string | undefined): StatusChange {
  if (input === undefined) return {};
  const status_text = input.trim();
  check(!status_text.includes('\0'), 'status_text must not contain null bytes');
  return {status_text};
}

function checkedStatusEmoji(act: ActionContext, {emoji_name, emoji_code, reaction_type}: StatusInput): StatusChange {
  if (emoji_name === undefined) {
    check(
      !emoji_code && !reaction_type,
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    );
    return {};
  }
  if (emoji_name === '') return {emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'};
  return resolveEmoji(act, {emoji_name, emoji_code, reaction_type});
}
