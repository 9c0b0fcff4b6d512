import type {SubscriptionAction, SubscriptionSetting} from '#state/actions/subscription-settings.ts';
import type {Subscription} from '#state/model/channel.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import {type FormChoice, type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {performAllUndoable} from '#ui/undo/perform-undoable.ts';
import {type ChannelSwitch, channelSwitches} from './channel-card-lines.ts';

/** The user's own settings for a channel. Notifications are null while they are as in the account's settings. */
type SubscriptionValues = Pick<Subscription, SubscriptionSetting>;

const defaults: SubscriptionValues = {
  color: '#c2c2c2',
  isMuted: false,
  pinToTop: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
};

/** Opens the form for the user's own settings for a channel. Its changes can be undone as one. */
export function openSubscriptionForm(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  openForm<SubscriptionValues>(app, {
    id: `subscription ${channelId}`,
    title: `My settings for #${name}`,
    initial: ({account}) => {
      const own = account.subscriptions.get(channelId);
      if (own === undefined) return defaults;
      const {channelId: _, isSubscribed: __, ...values} = own;
      return values;
    },
    fields: (frame) => subscriptionFields(frame, channelId),
    save: async (from, changes) => {
      const actions = Object.entries(changes).flatMap(([setting, value]): readonly SubscriptionAction[] =>
        typeof value === 'boolean' || typeof value === 'string'
          ? [{kind: 'subscription', channelId, setting: setting as SubscriptionSetting, value}]
          : [],
      );
      performAllUndoable(from, actions, `Changed your settings for #${name}`, undoText(from.frame, channelId, changes));
      return undefined;
    },
  });
}

function subscriptionFields(frame: Frame, channelId: number): readonly FormField[] {
  const own = frame.account.subscriptions.get(channelId);
  const disabled = own?.isSubscribed === true ? undefined : 'You are not subscribed to this channel';
  const [muted, pinned, ...notifications] = channelSwitches;
  const switches = [muted, pinned].flatMap((one): readonly FormField[] =>
    one === undefined ? [] : [formField('switch', one.setting, one.title, {disabled})],
  );
  return [
    formField('color', 'color', 'Color', {help: 'Enter shows a list of colors.', disabled}),
    ...switches,
    {kind: 'section', label: 'Notifications'},
    ...notifications.map((one) => notificationField(frame, own, one, disabled)),
  ];
}

/**
 * Returns what undo says. A notification that was as in the account gets the account's present value, because no request
 * can make it follow the account again.
 */
export function undoText(
  {account}: Frame,
  channelId: number,
  changes: Partial<SubscriptionValues>,
): string | undefined {
  const own = account.subscriptions.get(channelId);
  const inherited = channelSwitches.filter(({setting}) => setting in changes && own?.[setting] === null);
  if (inherited.length === 0) return undefined;
  const values = inherited.map(
    ({title, inherited: name}) => `${title} ${name !== undefined && account.settings[name] === true ? 'on' : 'off'}`,
  );
  return `Undone: ${values.join(', ')} as in your account, but set for this channel`;
}

/** Servers cannot set a notification back to the account's setting, so that choice is offered only while it is so. */
function notificationField(
  {account}: Frame,
  own: Subscription | undefined,
  {setting, title, inherited}: ChannelSwitch,
  disabled: string | undefined,
): FormField {
  const isInherited = own?.[setting] === null;
  const isOnByDefault = inherited !== undefined && account.settings[inherited] === true;
  const choices: readonly FormChoice[] = [
    {
      value: null,
      label: `${isOnByDefault ? 'On' : 'Off'}, as in my account`,
      ...(!isInherited && {disabled: 'A channel with its own setting keeps one'}),
    },
    {value: true, label: 'On'},
    {value: false, label: 'Off'},
  ];
  const help = isInherited
    ? 'Once set for this channel, it no longer follows your account: servers cannot take that back.'
    : undefined;
  return formField('choice', setting, title.replace(' notifications', ''), {choices, disabled, help});
}
