import type {FileSource} from '#api/multipart.ts';
import type {Context} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** Another person's account; administrators only. */
export async function updateUser({api, signal}: Context, userId: number, change: UserChange): Promise<void> {
  await api.updateUser({user_id: userId, ...change}, {signal});
}

/** For scripts that know an address and no id. */
export async function updateUserByEmail(
  {api, signal}: Context,
  email: string,
  change: UserChange,
): Promise<void> {
  await api.updateUserByEmail({email, ...change}, {signal});
}

export async function deactivateUser({api, signal}: Context, userId: number): Promise<void> {
  await api.deactivateUser({user_id: userId}, {signal});
}

export async function reactivateUser({api, signal}: Context, userId: number): Promise<void> {
  await api.reactivateUser({user_id: userId}, {signal});
}

/** Gives the address of the picture. */
export async function uploadAvatar({api, signal}: Context, file: FileSource): Promise<string | undefined> {
  return (await api.uploadAvatar({file}, {signal})).avatar_url ?? undefined;
}

export async function deleteAvatar({api, signal}: Context): Promise<void> {
  await api.deleteAvatar({}, {signal});
}
