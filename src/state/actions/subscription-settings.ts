import type {Subscription} from '#state/model/channel.ts';
import type {SubscriptionProperty} from '#wire/objects/subscription.ts';
import type {ActionHandler} from './action-handler.ts';

export type SubscriptionSetting = Exclude<keyof Subscription, 'channelId' | 'isSubscribed'>;

/** Changes one of the user's settings for a channel: color, muting, pinning, notifications. */
export interface SubscriptionAction {
  readonly kind: 'subscription';
  readonly channelId: number;
  readonly setting: SubscriptionSetting;
  readonly value: boolean | string;
}

const wireNames: Readonly<Record<SubscriptionSetting, SubscriptionProperty>> = {
  color: 'color',
  isMuted: 'is_muted',
  pinToTop: 'pin_to_top',
  desktopNotifications: 'desktop_notifications',
  audibleNotifications: 'audible_notifications',
  pushNotifications: 'push_notifications',
  emailNotifications: 'email_notifications',
  wildcardMentionsNotify: 'wildcard_mentions_notify',
};

/** The account settings that `null` stands for: no request can reset a channel setting to `null`. */
const inherited = {
  desktopNotifications: 'enableStreamDesktopNotifications',
  audibleNotifications: 'enableStreamAudibleNotifications',
  pushNotifications: 'enableStreamPushNotifications',
  emailNotifications: 'enableStreamEmailNotifications',
  wildcardMentionsNotify: 'wildcardMentionsNotify',
} as const;

export const subscriptionHandler: ActionHandler<SubscriptionAction> = {
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
};
