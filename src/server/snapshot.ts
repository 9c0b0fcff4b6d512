import {userSettings} from '#server/accounts/user-settings.ts';
import {defaultChannelGroups, defaultChannelIds} from '#server/actions/events/channel-events.ts';
import {draftViews} from '#server/actions/personal/drafts.ts';
import {navigationViews} from '#server/actions/personal/navigation-views.ts';
import {snippetViews} from '#server/actions/personal/snippets.ts';
import {reminderViews} from '#server/actions/schedule/reminders.ts';
import {scheduledMessageViews} from '#server/actions/schedule/scheduled-messages.ts';
import {mutedTopics, userTopicsOf} from '#server/actions/topics/user-topics.ts';
import {subscriptionsOf} from '#server/db/channels.ts';
import {listFolders} from '#server/db/organization-items.ts';
import {isGuest, topicDisplayName} from '#server/permissions/has-permission.ts';
import {messagesBlocks} from '#server/snapshot/messages.ts';
import {organizationBlocks} from '#server/snapshot/organization.ts';
import {
  type SnapshotBlock,
  type SnapshotBlocks,
  type SnapshotPart,
  type SnapshotRequest,
  usersBlocks,
} from '#server/snapshot/users.ts';
import {channelSets, channelView, visibleChannels} from '#server/views/channel.ts';
import {folderView} from '#server/views/organization-items.ts';
import {snapshotKeysChangedBy} from '#wire/fetch-types.ts';
import {withoutPauses} from './run-action.ts';

/** Channels, subscriptions, folders and topic policies. */
const channelsBlocks: SnapshotBlocks = {
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

const maxDrafts = 1000;

/** Drafts, snippets, scheduled messages, reminders and navigation views. */
const personalBlocks: SnapshotBlocks = {
  drafts: ({act, viewer}) => ({
    drafts: userSettings(viewer).enable_drafts_synchronization ? draftViews(act.db, viewer.id, maxDrafts) : [],
  }),
  saved_snippets: ({act, viewer}) => ({
    saved_snippets: snippetViews(act.db, viewer.id),
  }),
  scheduled_messages: ({act, viewer, options}) => ({
    scheduled_messages: scheduledMessageViews(act, viewer.id, options.capabilities.empty_topic_name === true),
  }),
  reminders: ({act, viewer}) => ({
    reminders: reminderViews(act, viewer.id),
  }),
  navigation_views: ({act, viewer}) => ({
    navigation_views: navigationViews(act.db, viewer.id),
  }),
};

/**
 * The function that makes each fetch type's part of a registration's response. Those of messages are last, because messages
 * change most often, and what changes while other parts are made must be made again.
 */
const blocks: SnapshotBlocks = {
  ...channelsBlocks,
  ...usersBlocks,
  ...organizationBlocks,
  ...personalBlocks,
  ...messagesBlocks,
};

type SnapshotParts = ReadonlyMap<string, SnapshotPart>;

function* partOf(block: SnapshotBlock, request: SnapshotRequest): Generator<void, SnapshotPart> {
  const part = block(request);
  return isWork(part) ? yield* part : part;
}

function isWork(part: ReturnType<SnapshotBlock>): part is Generator<void, SnapshotPart> {
  return Symbol.iterator in part;
}

/** Makes the parts of the initial state, by fetch type, that `POST /register` answers with. */
export function* snapshotParts(request: SnapshotRequest): Generator<void, SnapshotParts> {
  const parts = new Map<string, SnapshotPart>();
  for (const [fetchType, block] of Object.entries(blocks)) {
    if (request.fetchTypes !== undefined && !request.fetchTypes.has(fetchType)) continue;
    parts.set(fetchType, yield* partOf(block, request));
    yield;
  }
  return parts;
}

export function snapshot(request: SnapshotRequest): Record<string, unknown> {
  return Object.assign({}, ...withoutPauses(snapshotParts(request)).values());
}

/** Returns the state of these parts, with the present values of the keys that changed since they were made. */
export function updatedSnapshot(
  parts: SnapshotParts,
  changedKeys: ReadonlySet<string>,
  request: SnapshotRequest,
): Record<string, unknown> {
  const state = Object.assign({}, ...parts.values());
  for (const [fetchType, part] of parts) {
    if (!Object.keys(part).some((key) => changedKeys.has(key))) continue;
    const block = blocks[fetchType];
    if (block === undefined) continue;
    for (const [key, value] of Object.entries(withoutPauses(partOf(block, request)))) {
      if (changedKeys.has(key)) state[key] = value;
    }
  }
  return state;
}

/**
 * Returns the keys of a registration's state that events changed which arrived while it was made. Only events of fetched
 * types are applied: a key that an event of another type changed, too, stays as it was, although the queue continues
 * after that event.
 */
export function keysChangedByEvents(
  eventTypes: ReadonlySet<string>,
  fetchTypes: ReadonlySet<string> | undefined,
): Set<string> {
  const keysOf = (isApplied: boolean) => {
    const isFetched = (type: string) => fetchTypes === undefined || fetchTypes.has(type);
    return new Set([...eventTypes].filter((type) => isFetched(type) === isApplied).flatMap(snapshotKeysChangedBy));
  };
  return keysOf(true).difference(keysOf(false));
}
