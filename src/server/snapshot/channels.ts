import {defaultChannelGroups} from '#server/actions/channels/default-channel-groups.ts';
import {defaultChannelIds} from '#server/actions/channels/default-channels.ts';
import {mutedTopics, topicDisplayName, userTopicsOf} from '#server/actions/topics/user-topic-events.ts';
import {listFolders} from '#server/db/folders.ts';
import {subscriptionsOf} from '#server/db/subscriptions.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {channelView} from '#server/views/channel.ts';
import {channelSets, visibleChannels} from '#server/views/channel-sets.ts';
import {folderView} from '#server/views/folder.ts';
import type {SnapshotBlocks, SnapshotRequest} from './snapshot-block.ts';

/** Channels, subscriptions, folders and topic policies. */
export const channelsBlocks: SnapshotBlocks = {
  subscription({act, viewer, options, includeSubscribers}) {
    const {capabilities} = options;
    const sets = channelSets(act, viewer, {
      includeArchived: capabilities.archived_channels === true,
      nullNotifications: capabilities.notification_settings_null === true,
      includeSubscribers,
    });
    return {
      subscriptions: sets.subscriptions,
      unsubscribed: sets.unsubscribed,
      never_subscribed: sets.neverSubscribed,
    };
  },

  stream({act, viewer, options}) {
    const own = subscriptionsOf(act.db, viewer.id);
    const includeArchived = options.capabilities.archived_channels === true;
    const channels = visibleChannels(act, viewer, own, includeArchived);
    return {streams: channels.map((channel) => channelView(act, channel))};
  },

  default_streams: ({act, viewer}) => ({
    realm_default_streams: isGuest(viewer) ? [] : defaultChannelIds(act.db),
  }),

  default_stream_groups: ({act, viewer}) => ({
    realm_default_stream_groups: isGuest(viewer) ? [] : defaultChannelGroups(act.db),
  }),

  channel_folders: ({act}) => ({
    channel_folders: listFolders(act.db).map((folder) => folderView(act, folder)),
  }),

  user_topic(request) {
    const {act, viewer} = request;
    return {
      user_topics: userTopicsOf(act.db, viewer.id).map((row) => ({
        stream_id: row.channel_id,
        topic_name: topicDisplayName(act, row.topic_name, knowsEmptyTopic(request)),
        last_updated: row.updated_at,
        visibility_policy: row.policy,
      })),
    };
  },

  /** Left out for clients that name their event types and get `user_topics`, which contains the same and more. */
  muted_topics(request) {
    const {act, viewer, options, fetchTypes} = request;
    if (options.eventTypes !== undefined && fetchTypes?.has('user_topic') !== false) return {};
    return {muted_topics: mutedTopics(act, viewer.id, knowsEmptyTopic(request))};
  },
};

function knowsEmptyTopic({options}: SnapshotRequest): boolean {
  return options.capabilities.empty_topic_name === true;
}
