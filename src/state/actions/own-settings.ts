import type {Api} from '#api/api.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {Subscription} from '#state/model/channel.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {userIdsIn} from '#state/selectors/people/people.ts';
import type {NavigationView} from '#state/slices/navigation-views.ts';
import type {UserTopic} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {camelKey} from '#std/camel.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {isRefusal} from '#wire/failure.ts';
import {type SubscriptionProperty, subscriptionProperties} from '#wire/objects/channel.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {type SettingName, settingFields} from '#wire/objects/user-settings.ts';
import type {Handlers} from './reversible-actions.ts';

interface FullNameAction {
  readonly kind: 'fullName';
  readonly fullName: string;
}

function currentName({users, self}: AccountState): string | undefined {
  return users.get(self.userId)?.fullName;
}

/** Sets one field of the user's profile. */
interface ProfileFieldAction {
  readonly kind: 'profileField';
  readonly fieldId: number;
  /** The value as stored in the profile; for a field of users, their ids as a JSON list. Null clears it. */
  readonly value: string | null;
}

function normalizedValue({value}: ProfileFieldAction): string | null {
  const text = value?.trim() ?? '';
  return text === '' || text === '[]' ? null : text;
}

function currentValue({users, self}: AccountState, {fieldId}: ProfileFieldAction): string | null {
  return users.get(self.userId)?.profile[fieldId]?.value ?? null;
}

/** Sets the user's status. Empty text and emoji clear it. */
export interface StatusAction {
  readonly kind: 'status';
  readonly text: string;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

function ownStatus(state: AccountState): StatusAction {
  const status = state.statuses.get(state.self.userId);
  return {
    kind: 'status',
    text: status?.statusText ?? '',
    emojiName: status?.emojiName ?? '',
    emojiCode: status?.emojiCode ?? '',
    reactionType: status?.reactionType ?? '',
  };
}

function sameStatus(a: StatusAction, b: StatusAction): boolean {
  return a.text.trim() === b.text.trim() && a.emojiName === b.emojiName && a.emojiCode === b.emojiCode;
}

interface AlertWordsAction {
  readonly kind: 'alertWords';
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

function fold(word: string): string {
  return word.trim().toLowerCase();
}

export type SettingValue = boolean | number | string | null;

/** Changes one of the account's settings, which all its clients share. */
interface SettingAction {
  readonly kind: 'setting';
  /** The server's name of the setting. */
  readonly name: SettingName;
  readonly value: SettingValue;
}

const stateNames = Object.fromEntries(Object.keys(settingFields).map((name) => [name, camelKey(name)]));

/** Returns the event for the time zone, which is also part of the user. */
function otherSliceEvents({self}: AccountState, {name, value}: SettingAction): readonly StateEvent[] {
  if (name !== 'timezone') return [];
  return [{type: 'realm_user', op: 'update', id: -1, person: {user_id: self.userId, timezone: String(value)}}];
}

/** Returns the current value of a setting. Being away is the older name of being invisible. */
export function currentSetting({settings, statuses, self}: AccountState, name: SettingName): unknown {
  if (name === 'presence_enabled' && statuses.get(self.userId)?.away === true) return false;
  return Reflect.get(settings, stateNames[name] ?? name);
}

function isSettingValue(value: unknown): value is SettingValue {
  return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}

export type SubscriptionSetting = Exclude<keyof Subscription, 'channelId' | 'isSubscribed'>;

/** Changes one of the user's settings for a channel: color, muting, pinning, notifications. */
export interface SubscriptionAction {
  readonly kind: 'subscription';
  readonly channelId: number;
  readonly setting: SubscriptionSetting;
  readonly value: boolean | string;
}

const wireNames = Object.fromEntries(
  subscriptionProperties.map((property) => [camelKey(property), property]),
) as Readonly<Record<SubscriptionSetting, SubscriptionProperty>>;

/** The account settings that `null` stands for: no request can reset a channel setting to `null`. */
const inherited = {
  desktopNotifications: 'enableStreamDesktopNotifications',
  audibleNotifications: 'enableStreamAudibleNotifications',
  pushNotifications: 'enableStreamPushNotifications',
  emailNotifications: 'enableStreamEmailNotifications',
  wildcardMentionsNotify: 'wildcardMentionsNotify',
} as const;

/** Follows, mutes or unmutes a topic, or resets it to its channel's setting. */
export interface TopicPolicyAction {
  readonly kind: 'topicPolicy';
  readonly channelId: number;
  readonly topic: string;
  /** 0 as the channel, 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number;
}

function userTopic({userTopics}: AccountState, {channelId, topic}: TopicPolicyAction): UserTopic | undefined {
  return userTopics.get(topicConversationKey(channelId, topic));
}

interface NavigationViewSettings {
  readonly isPinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** Sets what the sidebar stores about a view; without `view` it is removed. */
export interface NavigationViewAction {
  readonly kind: 'navigationView';
  readonly fragment: string;
  readonly view?: NavigationViewSettings | undefined;
}

/** Tries to update and then to add, because the server's record may have changed since. */
async function saveView(api: Api, fragment: string, view: NavigationViewSettings): Promise<void> {
  const args = {fragment, is_pinned: view.isPinned, ...(view.name !== null && {name: view.name})};
  try {
    await api.editNavigationView(args);
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
    await api.addNavigationView(args);
  }
}

async function removeView(api: Api, fragment: string): Promise<void> {
  try {
    await api.removeNavigationView({fragment});
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
  }
}

function settingsOf(view: NavigationView | undefined): NavigationViewSettings | undefined {
  return view && {isPinned: view.isPinned, name: view.name ?? null};
}

/** An action on the user's own data and settings. */
export type OwnAction =
  | FullNameAction
  | ProfileFieldAction
  | StatusAction
  | AlertWordsAction
  | SettingAction
  | SubscriptionAction
  | TopicPolicyAction
  | NavigationViewAction;

export const ownHandlers: Handlers<OwnAction> = {
  fullName: {
    effective: (state, action) => (currentName(state) === action.fullName.trim() ? undefined : action),

    optimisticEvents: ({self}, action) => [
      {
        type: 'realm_user',
        op: 'update',
        id: -1,
        person: {user_id: self.userId, full_name: action.fullName.trim()},
      },
    ],

    inverse: (state, action) => ({...action, fullName: currentName(state) ?? action.fullName}),

    request: (api, action) => api.updateSettings({full_name: action.fullName}),
  },

  profileField: {
    effective: (state, action) => (currentValue(state, action) === normalizedValue(action) ? undefined : action),

    optimisticEvents: ({self}, action) => [
      {
        type: 'realm_user',
        op: 'update',
        id: -1,
        person: {
          user_id: self.userId,
          custom_profile_field: {id: action.fieldId, value: normalizedValue(action)},
        },
      },
    ],

    inverse: (state, action) => ({...action, value: currentValue(state, action)}),

    async request(api, action) {
      const {fieldId: id} = action;
      const value = normalizedValue(action);
      if (value === null) return api.removeProfileData({data: [id]});
      const {custom_fields: fields} = await api.getProfileFields({});
      const namesPeople = fields.find((field) => field.id === id)?.type === profileFieldTypes.user;
      return api.updateProfileData({data: [{id, value: namesPeople ? [...userIdsIn(value)] : value}]});
    },
  },

  status: {
    effective: (state, action) => (sameStatus(ownStatus(state), action) ? undefined : action),

    optimisticEvents: (state, action) => [
      {
        type: 'user_status',
        id: -1,
        user_id: state.self.userId,
        status_text: action.text,
        emoji_name: action.emojiName,
        emoji_code: action.emojiCode,
        reaction_type: action.reactionType,
      },
    ],

    inverse: (state) => ownStatus(state),

    request: (api, {text, emojiName, emojiCode, reactionType}) =>
      api.updateStatus({
        status_text: text,
        emoji_name: emojiName,
        ...(emojiName !== '' && {emoji_code: emojiCode, reaction_type: reactionType}),
      }),
  },

  alertWords: {
    /** Words that differ only in case are equal; a removed word keeps its spelling for undo. */
    effective({alertWords: current}, action) {
      const known = new Map(current.map((word) => [fold(word), word]));
      const requested = new Map(action.words.map((word) => [fold(word), word.trim()]));
      requested.delete('');
      const words = [...requested]
        .filter(([key]) => known.has(key) !== (action.op === 'add'))
        .map(([key, word]) => known.get(key) ?? word);
      return words.length === 0 ? undefined : {...action, words};
    },

    optimisticEvents({alertWords: current}, {op, words}) {
      const removed = new Set(words.map(fold));
      const after = op === 'add' ? [...current, ...words] : current.filter((word) => !removed.has(fold(word)));
      return [{type: 'alert_words', id: -1, alert_words: after}];
    },

    inverse: (_state, action) => ({...action, op: action.op === 'add' ? 'remove' : 'add'}),

    request: (api, {op, words}) =>
      op === 'add' ? api.addAlertWords({alert_words: [...words]}) : api.removeAlertWords({alert_words: [...words]}),
  },

  setting: {
    effective: (state, action) => (currentSetting(state, action.name) === action.value ? undefined : action),

    optimisticEvents: (state, action) => [
      {type: 'user_settings', op: 'update', id: -1, property: action.name, value: action.value},
      ...otherSliceEvents(state, action),
    ],

    inverse(state, action) {
      const before = currentSetting(state, action.name);
      return {...action, value: isSettingValue(before) ? before : action.value};
    },

    request: (api, {name, value}) =>
      // The endpoint's parameters are typed separately; the name selects one.
      api.updateSettings({[name]: value} as ArgsOf<Endpoints['updateSettings']>),
  },

  subscription: {
    effective(state, action) {
      const subscription = state.subscriptions.get(action.channelId);
      return subscription === undefined || subscription[action.setting] === action.value ? undefined : action;
    },

    optimisticEvents: (_state, {channelId, setting, value}) => [
      {type: 'subscription', op: 'update', id: -1, stream_id: channelId, property: wireNames[setting], value},
    ],

    inverse(state, action) {
      const before = state.subscriptions.get(action.channelId)?.[action.setting];
      if (typeof before === 'boolean' || typeof before === 'string') return {...action, value: before};
      const fallback = action.setting in inherited ? inherited[action.setting as keyof typeof inherited] : undefined;
      return {...action, value: fallback === undefined ? false : (state.settings[fallback] ?? false)};
    },

    request: (api, {channelId, setting, value}) =>
      api.updateSubscription({stream_id: channelId, property: wireNames[setting], value}),
  },

  topicPolicy: {
    effective: (state, action) => ((userTopic(state, action)?.policy ?? 0) === action.policy ? undefined : action),

    optimisticEvents: (_state, {channelId, topic, policy}, now) => [
      {
        type: 'user_topic',
        id: -1,
        stream_id: channelId,
        topic_name: topic,
        last_updated: Math.floor(now / 1000),
        visibility_policy: policy,
      },
    ],

    inverse(state, action) {
      const before = userTopic(state, action);
      return {...action, topic: before?.topic ?? action.topic, policy: before?.policy ?? 0};
    },

    request: (api, {channelId, topic, policy}) =>
      api.setUserTopic({stream_id: channelId, topic, visibility_policy: policy}),
  },

  navigationView: {
    effective({navigationViews}, action) {
      return deepEqual(settingsOf(navigationViews.get(action.fragment)), action.view) ? undefined : action;
    },

    optimisticEvents({navigationViews}, {fragment, view}) {
      if (view === undefined) return [{type: 'navigation_view', op: 'remove', id: -1, fragment}];
      const data = {is_pinned: view.isPinned, name: view.name};
      return navigationViews.has(fragment)
        ? [{type: 'navigation_view', op: 'update', id: -1, fragment, data}]
        : [{type: 'navigation_view', op: 'add', id: -1, navigation_view: {fragment, ...data}}];
    },

    inverse({navigationViews}, {kind, fragment}) {
      const view = settingsOf(navigationViews.get(fragment));
      return {kind, fragment, ...(view && {view})};
    },

    request: (api, {fragment, view}) =>
      view === undefined ? removeView(api, fragment) : saveView(api, fragment, view),
  },
};
