import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {dateText} from '#content/time-text.ts';
import type {SubscriptionSetting} from '#state/actions/own-settings.ts';
import type {Channel, Subscription} from '#state/model/channel.ts';
import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import {canAddSubscribers, canSubscribe, unknownChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountSettings} from '#state/slices/settings.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {blankLine, type UiLine} from '#ui/layout/ui-line.ts';
import {cardKeyLine, cardKeyLines, cardTextField, paragraph, wrappedLines} from '#ui/overlays/card-lines.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

/** A per-channel setting that the user can toggle. */
export interface ChannelSwitch {
  readonly key: string;
  readonly setting: Exclude<SubscriptionSetting, 'color'>;
  readonly title: string;
  /** The account setting that applies when the channel has no value. */
  readonly inherited?: keyof AccountSettings;
}

function channelSwitch(
  key: string,
  setting: ChannelSwitch['setting'],
  title: string,
  inherited?: keyof AccountSettings,
): ChannelSwitch {
  return {key, setting, title, ...(inherited !== undefined && {inherited})};
}

export const channelSwitches: readonly ChannelSwitch[] = [
  channelSwitch('m', 'isMuted', 'Muted'),
  channelSwitch('p', 'pinToTop', 'Pinned to the top'),
  channelSwitch('d', 'desktopNotifications', 'Desktop notifications', 'enableStreamDesktopNotifications'),
  channelSwitch('a', 'audibleNotifications', 'Audible notifications', 'enableStreamAudibleNotifications'),
  channelSwitch('h', 'pushNotifications', 'Mobile notifications', 'enableStreamPushNotifications'),
  channelSwitch('e', 'emailNotifications', 'Email notifications', 'enableStreamEmailNotifications'),
  channelSwitch('w', 'wildcardMentionsNotify', 'Notify of @all', 'wildcardMentionsNotify'),
];

/** Returns the effective value: the channel's, or the account's. */
export function switchState(
  {settings}: Pick<AccountState, 'settings'>,
  own: Subscription,
  {setting, inherited}: ChannelSwitch,
): {readonly isOn: boolean; readonly isInherited: boolean} {
  const value = own[setting];
  if (value !== null) return {isOn: value, isInherited: false};
  return {isOn: inherited !== undefined && settings[inherited] === true, isInherited: true};
}

/** Returns the lines of a channel card: what it is, its keys, who is in it, and the own settings. */
export function channelCardLines(frame: Frame, width: number, channelId: number): readonly UiLine[] {
  const {account} = frame;
  const channel = account.channels.get(channelId);
  if (channel === undefined) return paragraph(unknownChannel, 'dim', width);
  const own = account.subscriptions.get(channelId);
  const isIn = own?.isSubscribed === true;
  return [
    ...headLines(frame, channel, isIn, width),
    ...descriptionLines(account, channel, width),
    blankLine,
    ...cardKeyLines(cardKeys(frame, channelId, isIn), width),
    blankLine,
    ...detailLines(frame, channel, width),
    ...(isIn && own !== undefined ? [blankLine, ...switchLines(account, own, width)] : []),
  ];
}

/** The keys of the card, without those that the user may not use. */
function cardKeys(
  {account, minute, info}: Frame,
  channelId: number,
  isIn: boolean,
): readonly (readonly [key: string, what: string])[] {
  const canAdd = !info.isReadOnly && canAddSubscribers(account, channelId, minute).ok;
  const canJoin = isIn || canSubscribe(account, channelId, minute).ok;
  return [
    ['Enter', 'messages'],
    ['t', 'topics'],
    ['M', 'members'],
    ...(canAdd ? [['A', 'add people'] as const] : []),
    ['E', 'settings'],
    ...(isIn ? [['N', 'my settings'] as const] : []),
    ['C', 'copy email address'],
    ...(canJoin ? [['S', isIn ? 'unsubscribe' : 'subscribe'] as const] : []),
  ];
}

/** Renders the description with names instead of markup. */
function descriptionLines(account: AccountState, {description}: Channel, width: number): readonly UiLine[] {
  const text = plainText(parseMessage(description, messageContext(account))).trim();
  return text === '' ? [] : [blankLine, ...paragraph(text, 'text', width)];
}

function visibilityOf({isArchived, isPrivate, isWebPublic}: Channel): string {
  if (isArchived === true) return 'archived';
  if (isPrivate) return 'private';
  return isWebPublic === true ? 'web-public' : 'public';
}

function headLines({display}: Frame, channel: Channel, isIn: boolean, width: number): readonly UiLine[] {
  const {dot} = uiGlyphs(display);
  const attributes = [visibilityOf(channel), isIn ? 'subscribed' : 'not subscribed'];
  const name = {text: composed`#${channel.name}`, role: 'channel', bold: true} as const;
  return wrappedLines([name, {text: `  ${attributes.join(` ${dot} `)}`, role: 'dim'}], width);
}

/** Names of subscribers on the card; the list of members has all. */
const maxNames = 8;

function detailLines(frame: Frame, channel: Channel, width: number): readonly UiLine[] {
  const {account} = frame;
  const subscribers = account.subscribers.get(channel.id);
  const count =
    subscribers?.complete === true ? subscribers.ids.size : (channel.subscriberCount ?? subscribers?.ids.size);
  const names = sortedByName(subscribers?.ids ?? [], (id) => userName(account, id))
    .slice(0, maxNames)
    .map((id) => distinctUserName(account, id));
  const more = (count ?? 0) > names.length && names.length > 0 ? `, and ${(count ?? 0) - names.length} more` : '';
  const created = channel.dateCreated;
  const creator = typeof channel.creatorId === 'number' ? composed` by ${userName(account, channel.creatorId)}` : '';
  const weekly = channel.streamWeeklyTraffic;
  return [
    ...cardTextField('Subscribers', count === undefined ? '' : String(count), width),
    ...cardTextField('', composed`${joined(names)}${more}`, width, 'dim'),
    ...cardTextField(
      'Created',
      created === undefined ? '' : `${dateText(created * 1000, timeOptionsOf(frame))}${creator}`,
      width,
    ),
    ...cardTextField('Traffic', typeof weekly === 'number' ? `${weekly} messages a week` : '', width),
    ...cardTextField('Folder', account.folders.get(channel.folderId ?? -1)?.name ?? '', width),
  ];
}

function switchLines(account: AccountState, own: Subscription, width: number): readonly UiLine[] {
  return channelSwitches.flatMap((one) => {
    const {isOn, isInherited} = switchState(account, own, one);
    const box = isOn ? '[x]' : '[ ]';
    return cardKeyLine(one.key, composed`${box} ${one.title}`, width, isInherited ? 'account default' : '');
  });
}
