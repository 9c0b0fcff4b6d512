import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** Changes another user's account; administrators only. */
export async function updateUser({api, signal}: SessionContext, userId: number, change: UserChange): Promise<void> {
  await api.updateUser({user_id: userId, ...change}, {signal});
}

/** Changes a user by email address, for scripts that do not know the id. */
export async function updateUserByEmail(
  {api, signal}: SessionContext,
  email: string,
  change: UserChange,
): Promise<void> {
  await api.updateUserByEmail({email, ...change}, {signal});
}

export async function deactivateUser({api, signal}: SessionContext, userId: number): Promise<void> {
  await api.deactivateUser({user_id: userId}, {signal});
}

export async function reactivateUser({api, signal}: SessionContext, userId: number): Promise<void> {
  await api.reactivateUser({user_id: userId}, {signal});
}

/** Returns the URL of the image. */
export async function uploadAvatar({api, signal}: SessionContext, file: FileSource): Promise<string | undefined> {
  return (await api.uploadAvatar({file}, {signal})).avatar_url ?? undefined;
}

export async function deleteAvatar({api, signal}: SessionContext): Promise<void> {
  await api.deleteAvatar({}, {signal});
}
