import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** Changes another user's account; administrators only. */
export async function updateUser({api, signal}: SessionContext, userId: number, change: UserChange): Promise<void> {
  await api.updateUser({user_id: userId, ...change}, {signal});
}

/** Changes the user of an email address. */
export async function updateUserByEmail(
  {api, signal}: SessionContext,
  email: string,
  change: UserChange,
): Promise<void> {
  await api.updateUserByEmail({email, ...change}, {signal});
}

/** Returns the id of the user of an email address, which may be one that only the API uses. */
export async function findUserByEmail({api, signal}: SessionContext, email: string): Promise<number> {
  return (await api.getUserByEmail({email}, {signal})).user.user_id;
}

/** Creates an account. Few administrators are allowed to. Returns its user id. */
export async function createUser(
  {api, signal}: SessionContext,
  {email, fullName, password}: {readonly email: string; readonly fullName: string; readonly password: string},
): Promise<number> {
  return (await api.createUser({email, password, full_name: fullName}, {signal})).user_id;
}

/** What is deleted with the account. */
export const deactivationActions = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const;
export type DeactivationAction = (typeof deactivationActions)[number];

export interface Deactivation {
  /** Sent to the user by email; without it they get no email. */
  readonly comment?: string | undefined;
  readonly actions?: readonly DeactivationAction[] | undefined;
}

export async function deactivateUser(
  {api, signal}: SessionContext,
  userId: number,
  {comment, actions = []}: Deactivation = {},
): Promise<void> {
  await api.deactivateUser(
    {
      user_id: userId,
      ...(comment !== undefined && {deactivation_notification_comment: comment}),
      ...(actions.length > 0 && {actions: Object.fromEntries(actions.map((name) => [name, true]))}),
    },
    {signal},
  );
}

/** Deactivates the user's own account. */
export async function deactivateSelf({api, signal}: SessionContext): Promise<void> {
  await api.deactivateOwnUser({}, {signal});
}

export async function reactivateUser({api, signal}: SessionContext, userId: number): Promise<void> {
  await api.reactivateUser({user_id: userId}, {signal});
}

/** Sets the status of another user; administrators only. */
export async function setStatusOfUser(
  {api, signal}: SessionContext,
  userId: number,
  status: Omit<ArgsOf<Endpoints['updateUserStatus']>, 'user_id'>,
): Promise<void> {
  await api.updateUserStatus({user_id: userId, ...status}, {signal});
}

/** Returns the URL of the image. */
export async function uploadAvatar({api, signal}: SessionContext, file: FileSource): Promise<string | undefined> {
  return (await api.uploadAvatar({file}, {signal})).avatar_url ?? undefined;
}

export async function deleteAvatar({api, signal}: SessionContext): Promise<void> {
  await api.deleteAvatar({}, {signal});
}
