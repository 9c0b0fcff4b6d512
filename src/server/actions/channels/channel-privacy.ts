import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel, channelPermissions} from '#server/permissions/channel.ts';
import {canonicalGroupSetting} from '#server/permissions/group-setting.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {GroupSettingChange} from '#wire/objects/group-setting.ts';
import {checkCanCreatePrivacy, checkCanCreateWebPublic, checkTopicCreators} from './create-channel.ts';
import {writeChannelChanges} from './write-channel-changes.ts';

export interface PrivacyChanges {
  readonly is_private: boolean | undefined;
  readonly is_web_public: boolean | undefined;
  readonly history_public_to_subscribers: boolean | undefined;
  readonly is_default_stream: boolean | undefined;
  readonly can_create_topic_group?: GroupSettingChange | undefined;
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
  // Web-public channels are public, and public channels share their history.
  if (!privacy.isHistoryPublic && !privacy.isPrivate) throw badRequest('Invalid parameters');
  if (privacy.isWebPublic && privacy.isPrivate) throw badRequest('Invalid parameters');
  const remainsDefault = changes.is_default_stream ?? channel.is_default === 1;
  if (privacy.isPrivate && remainsDefault) throw badRequest('A default channel cannot be private.');
  if (!privacy.isPrivate && organization(act).moderation_request_channel_id === channel.id) {
    throw badRequest('Moderation request channel must be private.');
  }
  if (is_private !== undefined) {
    // Making a private channel public reveals its content, so only users who can read it may do that.
    if (!canReadChannel(act, actor, channel)) throw badRequest('Channel content access is required.');
    checkCanCreatePrivacy(act, actor, is_private);
  }
  if (is_web_public) checkCanCreateWebPublic(act, actor);
  const topicCreators = changes.can_create_topic_group?.new ?? channelPermissions(channel).can_create_topic_group;
  checkTopicCreators(privacy.isHistoryPublic, canonicalGroupSetting(topicCreators));
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
  const {is_private, is_web_public, history_public_to_subscribers} = changes;
  // A channel made private hides its history from later subscribers, unless the request says otherwise.
  const historyByPrivacy = is_private === undefined ? channel.history_public_to_subscribers === 1 : !is_private;
  return {
    isPrivate: is_private ?? channel.invite_only === 1,
    isWebPublic: is_web_public ?? channel.is_web_public === 1,
    isHistoryPublic: history_public_to_subscribers ?? historyByPrivacy,
  };
}
