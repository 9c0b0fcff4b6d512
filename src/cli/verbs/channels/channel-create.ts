import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson} from '#cli/io.ts';
import {changeOnce} from '#cli/make-change.ts';
import {requirePermission, userArgument} from '#cli/name-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {createChannel} from '#state/actions/channels.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {canCreateChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';
import {commonSettings, privacies, settingNeeds, settingParameters} from './channel-settings.ts';

export const channelCreate: VerbRunner<'channel create'> = ({values, words}, io, signal) => {
  const name = (words[0] ?? '').trim().replace(/^#/, '');
  return withState(values, io, signal, settingNeeds(values, values.user), (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      checkChannelName(state, name);
      const privacy = privacies[values.privacy ?? 'public'];
      const kind = privacy.isWebPublic ? 'webPublic' : privacy.isPrivate ? 'private' : 'public';
      requirePermission(canCreateChannel(state, kind, io.clock.now()));
      requireParameters(endpoints.createChannel, settingParameters(state, values), verbContext.api.connection.level);
      const {folderId, ...settings} = commonSettings(state, values);
      const channel = {
        name,
        description: values.description ?? '',
        subscriberIds: values.user.map((text) => userArgument(state, text).id),
        announce: values.announce,
        ...(values.privacy !== undefined && privacy),
        ...(typeof folderId === 'number' && {folderId}),
        ...settings,
      };
      const check = 'List the channels with “parley channel list”.';
      const id = await changeOnce(() => createChannel(context, channel), check);
      if (values.json) printJson(io, {id, name});
      else print(io, `Created #${printableLine(name)}.`);
      return exitCodes.ok;
    }),
  );
};

/** Throws when a channel cannot have this name. */
export function checkChannelName(state: AccountState, name: string, ownId?: number): void {
  if (name === '') throw new UsageError('The name of the channel is empty.');
  const {maxStreamNameLength = 60} = state.server;
  const length = [...name].length;
  if (length > maxStreamNameLength) {
    throw new PlainFailure(`The name has ${length} characters; this server allows ${maxStreamNameLength}.`);
  }
  const existing = channelNamed(state, name);
  if (existing !== undefined && existing.id !== ownId && existing.isArchived !== true) {
    throw new PlainFailure(`There is already a channel called “${existing.name}”.`);
  }
}
