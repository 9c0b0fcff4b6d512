import {openChannelCard} from '#app/channels/channel-card.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {viewAction} from '#app/forms/record-list.ts';
import {setDefaultChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import {channelName, sortedByName} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import {composed} from '#std/composed-text.ts';
import {formField} from '#ui/core/form.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {organizationList} from './organization-list.ts';
import {administratorReason} from './organization-rights.ts';

async function setAll(context: SessionContext, channelIds: readonly number[], isDefault: boolean) {
  for (const id of channelIds) await setDefaultChannel(context, id, isDefault);
  return channelIds;
}

/** The channels that new users are subscribed to. A key is a list of channels, because several are added at once. */
const defaultChannels = new RecordKind<Channel, {channelIds: readonly number[]}, readonly number[]>({
  noun: 'default channels',
  list: {
    id: 'default-channels',
    title: 'Default channels',
    empty: 'New users are subscribed to no channel',
    addLabel: 'Add channels…',
    rows: ({account}) => {
      const known = [...account.defaultChannels].filter((id) => account.channels.has(id));
      return sortedByName(known, (id) => channelName(account, id)).map((id) => ({
        key: String(id),
        label: composed`#${channelName(account, id)}`,
        detail: account.channels.get(id)?.description,
      }));
    },
    actions: [viewAction('Enter', 'shows the details', (from, {key}) => openChannelCard(from, Number(key)))],
  },
  keyOf: (key) => [Number(key)],
  find: ({account}, [id = 0]) => account.channels.get(id),
  changeReason: administratorReason,
  form: {
    newTitle: 'Add default channels',
    createLabel: 'Add',
    values: (channel) => ({channelIds: channel === undefined ? [] : [channel.id]}),
    fields: () => [
      formField('channels', 'channelIds', 'Channels', {
        help: 'New users are subscribed to them. Private channels cannot be chosen.',
        validate: (ids) => (ids.length === 0 ? 'Choose channels' : undefined),
        isOffered: (id, {account}) => {
          const channel = account.channels.get(id);
          return channel?.isPrivate === false && channel.isArchived !== true && !account.defaultChannels.has(id);
        },
      }),
    ],
  },
  create: (context, {channelIds}) => setAll(context, channelIds, true),
  created: ({channelIds}) => ({
    done: `Added ${countedNoun(channelIds.length, 'default channel')}`,
    undone: `Removed ${countedNoun(channelIds.length, 'default channel')}`,
    notUndone: 'The default channels were not removed',
  }),
  removal: {
    remove: (context, ids) => setAll(context, ids, false),
    texts: ({name}) => ({
      done: composed`Removed #${name} from the default channels`,
      failed: composed`#${name} was not removed`,
      undone: composed`#${name} is a default channel again`,
      notUndone: composed`#${name} was not added again`,
    }),
  },
});

export const defaultChannelList = organizationList(defaultChannels, {
  detail: 'to which new users are subscribed',
  aliases: ['default streams', 'channels for new users'],
});
