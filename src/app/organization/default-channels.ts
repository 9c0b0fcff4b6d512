import {openChannelCard} from '#app/channels/channel-card.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {changeOnServer, undoOffer} from '#app/requests/server-request.ts';
import {setDefaultChannel} from '#state/actions/channels.ts';
import {channelName, sortedByName} from '#state/selectors/names/names.ts';
import {formField} from '#ui/core/form.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {OrganizationList} from './organization-list.ts';
import {administratorReason} from './organization-rights.ts';

/** Opens the list of channels that new users are subscribed to, to add and remove them. */
export function openDefaultChannelList(app: App): void {
  openRecordList(app, {
    id: 'default channels',
    title: 'Default channels',
    empty: 'New users are subscribed to no channel',
    rows: ({account}) => {
      const known = [...account.defaultChannels].filter((id) => account.channels.has(id));
      return sortedByName(known, (id) => channelName(account, id)).map(
        (id): RecordRow => ({
          key: String(id),
          label: `#${channelName(account, id)}`,
          detail: account.channels.get(id)?.description,
        }),
      );
    },
    add: {label: 'Add channels…', disabledReason: administratorReason, run: openAddForm},
    actions: [
      viewAction('Enter', 'details', (from, {key}) => openChannelCard(from, Number(key))),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => administratorReason(frame),
        run: (from, {key, label}) =>
          changeOnServer(from, {
            send: () => setDefaultChannel(from.session.context, Number(key), false),
            failureText: `${label} was not removed`,
            label: `Removed ${label} from the default channels`,
            undo: () => setDefaultChannel(from.session.context, Number(key), true),
            undoneText: `${label} is a default channel again`,
            undoFailureText: `${label} was not added again`,
          }),
      }),
    ],
  });
}

function openAddForm(app: App): void {
  openForm<{channelIds: readonly number[]}>(app, {
    id: 'add default channels',
    title: 'Add default channels',
    saveLabel: 'Add',
    initial: () => ({channelIds: []}),
    fields: (frame) => [
      formField('channels', 'channelIds', 'Channels', {
        help: 'New users are subscribed to them. Private channels cannot be chosen.',
        disabled: administratorReason(frame),
        isOffered: (id, {account}) => {
          const channel = account.channels.get(id);
          return channel?.isPrivate === false && channel.isArchived !== true && !account.defaultChannels.has(id);
        },
      }),
    ],
    save: async (from, _changes, {channelIds}) => {
      const {context} = from.session;
      const setAll = async (isDefault: boolean) => {
        for (const id of channelIds) await setDefaultChannel(context, id, isDefault);
      };
      await setAll(true);
      return undoOffer(from, {
        label: `Added ${countedNoun(channelIds.length, 'default channel')}`,
        undo: () => setAll(false),
        undoneText: `Removed ${countedNoun(channelIds.length, 'default channel')}`,
        failureText: 'The default channels were not removed',
      });
    },
  });
}

export const defaultChannelList: OrganizationList = {
  id: 'default-channels',
  title: 'Default channels',
  detail: 'to which new users are subscribed',
  aliases: ['default streams', 'channels for new users'],
  open: openDefaultChannelList,
};
