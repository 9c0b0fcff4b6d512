import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** What is deleted with the account. */
export const deactivationActions = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const;
export type DeactivationAction = (typeof deactivationActions)[number];

export function createUser({api}: SessionContext, user: ArgsOf<Endpoints['createUser']>) {
  return api.createUser(user);
}

/** Changes the account of a user, whom the server finds by an id or an address. */
export function updateUser({api}: SessionContext, user: number | string, change: UserChange) {
  return typeof user === 'number'
    ? api.updateUser({user_id: user, ...change})
    : api.updateUserByEmail({email: user, ...change});
}

interface Deactivation {
  /** What an email tells them; undefined: none is sent. */
  readonly comment: string | undefined;
  readonly actions: readonly DeactivationAction[];
}

export function deactivateUser({api}: SessionContext, userId: number, {comment, actions}: Deactivation) {
  return api.deactivateUser({
    user_id: userId,
    ...(comment !== undefined && {deactivation_notification_comment: comment}),
    ...(actions.length > 0 && {actions: Object.fromEntries(actions.map((name) => [name, true]))}),
  });
}

/** Reactivates a person or a bot. */
export function reactivateUser({api}: SessionContext, userId: number) {
  return api.reactivateUser({user_id: userId});
}

export function deactivateOwnUser({api}: SessionContext) {
  return api.deactivateOwnUser();
}

export function setOwnPicture({api}: SessionContext, file: FileSource) {
  return api.uploadAvatar({file});
}

export function removeOwnPicture({api}: SessionContext) {
  return api.deleteAvatar();
}

/** Changes what a pending change cannot: the address or the password, which the server checks. */
export function updateLogin({api}: SessionContext, change: ArgsOf<Endpoints['updateSettings']>) {
  return api.updateSettings(change);
}

export function setStatusOf({api}: SessionContext, userId: number, status: UserStatusChange) {
  return api.updateUserStatus({user_id: userId, ...status});
}

type UserStatusChange = Omit<ArgsOf<Endpoints['updateUserStatus']>, 'user_id'>;
