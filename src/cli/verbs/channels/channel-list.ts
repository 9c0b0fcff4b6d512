import {conversationNeeds, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {channelArgument} from '#cli/name-arguments.ts';
import {printTable} from '#cli/table-lines.ts';
import {userJson, userLines} from '#cli/verbs/users.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {Channel} from '#state/model/channel.ts';
import {userFromWire} from '#state/model/user.ts';
import {compareNames, sortedByName} from '#state/selectors/names/compare-names.ts';
import type {AccountState} from '#state/state.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

export const channelList: VerbRunner<'channel list'> = ({values, words}, io, signal) =>
  withState(values, io, signal, {fetch: conversationNeeds, people: 'self'}, async ({state}) => {
    const query = words.join(' ').trim();
    const isShown = (channel: Channel) =>
      (values.archived || channel.isArchived !== true) &&
      (!values.subscribed || isSubscribed(state, channel)) &&
      [channel.name, channel.description].some((text) => text.toLowerCase().includes(query.toLowerCase()));
    const channels = sortedByName([...state.channels.values()].filter(isShown), ({name}) => name);
    if (values.json) {
      printJson(
        io,
        channels.map((channel) => channelJson(state, channel)),
      );
    } else if (channels.length > 0)
      printTable(
        io,
        channels.map((channel) => channelCells(state, channel)),
      );
    if (channels.length > 0 || query === '') return exitCodes.ok;
    printNotice(
      io,
      `No channels match “${query}”.${values.archived ? '' : ' Use --archived to include archived ones.'}`,
    );
    return exitCodes.failed;
  });

function isSubscribed({subscriptions}: AccountState, {id}: Channel): boolean {
  return subscriptions.get(id)?.isSubscribed === true;
}

function channelCells(state: AccountState, channel: Channel): string[] {
  const marks = [
    ...(channel.isWebPublic === true ? ['web-public'] : channel.isPrivate ? ['private'] : []),
    ...(channel.isArchived === true ? ['archived'] : []),
    ...(isSubscribed(state, channel) ? ['subscribed'] : []),
  ];
  const {subscriberCount} = channel;
  return [
    String(channel.id),
    `#${channel.name}`,
    marks.join(', '),
    subscriberCount === undefined ? '' : countedNoun(subscriberCount, 'subscriber'),
    channel.description,
  ];
}

function channelJson(state: AccountState, channel: Channel) {
  return {
    id: channel.id,
    name: channel.name,
    description: channel.description,
    isPrivate: channel.isPrivate,
    isWebPublic: channel.isWebPublic ?? false,
    isArchived: channel.isArchived ?? false,
    isSubscribed: isSubscribed(state, channel),
    isMuted: state.subscriptions.get(channel.id)?.isMuted ?? false,
    subscriberCount: channel.subscriberCount ?? null,
    messageRetentionDays: channel.messageRetentionDays ?? null,
    topicsPolicy: channel.topicsPolicy ?? null,
    folderId: channel.folderId ?? null,
    creatorId: channel.creatorId ?? null,
    dateCreated: channel.dateCreated ?? null,
  };
}

export const channelMembers: VerbRunner<'channel members'> = ({values, words, matching}, io, signal) =>
  withState(values, io, signal, {fetch: conversationNeeds, people: 'self'}, async ({api, state}) => {
    const channel = channelArgument(state, words[0] ?? '', matching);
    const {subscribers} = await api.getSubscribers({stream_id: channel.id});
    const {members} = await api.getUsers({user_ids: subscribers, client_gravatar: true});
    const sorted = members.map(userFromWire).sort((a, b) => compareNames(a.fullName, b.fullName) || a.id - b.id);
    if (values.json) printJson(io, sorted.map(userJson));
    else print(io, sorted.length === 0 ? 'No subscribers.' : userLines(sorted).join('\n'));
    return exitCodes.ok;
  });
