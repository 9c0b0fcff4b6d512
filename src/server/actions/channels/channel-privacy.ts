import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel, channelPermissions} from '#server/permissions/channel.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {checkChannelPrivacy} from './create-channel.ts';
import {writeChannelChanges} from './write-channel-changes.ts';

export interface PrivacyChanges {
  readonly is_private: boolean | undefined;
  readonly is_web_public: boolean | undefined;
  readonly history_public_to_subscribers: boolean | undefined;
  readonly is_default_stream: boolean | undefined;
}

interface Privacy {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isHistoryPublic: boolean;
}

/** Changes who may see the channel and its history. The three fields change together, in one event. */
export function updateChannelPrivacy(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  changes: PrivacyChanges,
): ChannelRow {
  const {is_private, is_web_public, history_public_to_subscribers} = changes;
  if (is_private === undefined && is_web_public === undefined && history_public_to_subscribers === undefined) {
    return channel;
  }
  const privacy = changedPrivacy(channel, changes);
  if (!privacy.isPrivate && history_public_to_subscribers === false) throw badRequest('Invalid parameters');
  if (is_private !== undefined || is_web_public !== undefined) checkChannelPrivacy(act, actor, privacy);
  // Making a private channel public reveals its content, so only users who can read it may do that.
  if (!canReadChannel(act, actor, channel)) throw badRequest('Channel content access is required.');
  const remainsDefault = changes.is_default_stream ?? channel.is_default === 1;
  if (privacy.isPrivate && remainsDefault) throw badRequest('A default channel cannot be private.');
  const everyoneCreatesTopics = channelPermissions(channel).can_create_topic_group === SystemGroup.everyone;
  if (!privacy.isHistoryPublic && !everyoneCreatesTopics) {
    const parameters = 'history_public_to_subscribers, can_create_topic_group';
    throw badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
  }
  return writeChannelChanges(
    act,
    channel,
    {
      invite_only: privacy.isPrivate ? 1 : 0,
      is_web_public: privacy.isWebPublic ? 1 : 0,
      history_public_to_subscribers: privacy.isHistoryPublic ? 1 : 0,
    },
    [
      {
        property: 'invite_only',
        value: privacy.isPrivate,
        history_public_to_subscribers: privacy.isHistoryPublic,
        is_web_public: privacy.isWebPublic,
      },
    ],
  );
}

function changedPrivacy(channel: ChannelRow, changes: PrivacyChanges): Privacy {
  const wasPrivate = channel.invite_only === 1;
  const isPrivate = changes.is_private ?? (changes.is_web_public === true ? false : wasPrivate);
  // Making a web-public channel private closes it to the web as well.
  const isWebPublic = changes.is_web_public ?? (changes.is_private === true ? false : channel.is_web_public === 1);
  // A channel that becomes private hides its history from later subscribers, unless the request says otherwise.
  const wasHistoryPublic = wasPrivate && channel.history_public_to_subscribers === 1;
  const isHistoryPublic = !isPrivate || (changes.history_public_to_subscribers ?? wasHistoryPublic);
  return {isPrivate, isWebPublic, isHistoryPublic};
}
