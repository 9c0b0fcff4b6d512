import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** Returns the id of the user of an email address, which may be one that only the API uses. */
export async function findUserByEmail({api}: SessionContext, email: string): Promise<number> {
  return (await api.getUserByEmail({email})).user.user_id;
}

/** Creates an account. Few administrators are allowed to. Returns its user id. */
export async function createUser(
  {api}: SessionContext,
  {email, fullName, password}: {readonly email: string; readonly fullName: string; readonly password: string},
): Promise<number> {
  return (await api.createUser({email, password, full_name: fullName})).user_id;
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
  {api}: SessionContext,
  userId: number,
  {comment, actions = []}: Deactivation = {},
): Promise<void> {
  await api.deactivateUser({
    user_id: userId,
    ...(comment !== undefined && {deactivation_notification_comment: comment}),
    ...(actions.length > 0 && {actions: Object.fromEntries(actions.map((name) => [name, true]))}),
  });
}

/** Returns the URL of the image. */
export async function uploadAvatar({api}: SessionContext, file: FileSource): Promise<string | undefined> {
  return (await api.uploadAvatar({file})).avatar_url ?? undefined;
}
