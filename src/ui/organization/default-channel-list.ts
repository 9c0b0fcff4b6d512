import {setDefaultChannel} from '#state/actions/channels.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import {openChannelCard} from '#ui/channels/channel-card.ts';
import type {App} from '#ui/core/app.ts';
import type {Form} from '#ui/core/form.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow} from '#ui/forms/record-list.ts';
import {undoOffer} from '#ui/undo/perform-undoable.ts';
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
      {key: 'Enter', hint: 'details', isReadOnly: true, run: (from, {key}) => openChannelCard(from, Number(key))},
      {
        key: 'Delete',
        hint: 'remove',
        disabledReason: (_row, frame) => administratorReason(frame),
        run: (from, {key, label}) =>
          requestFromServer(from, {
            send: () => setDefaultChannel(from.session.context, Number(key), false),
            doneText: () =>
              undoOffer(from, {
                label: `Removed ${label} from the default channels`,
                undo: () => setDefaultChannel(from.session.context, Number(key), true),
                undoneText: `${label} is a default channel again`,
                failureText: `${label} was not added again`,
              }),
            failureText: `${label} was not removed`,
          }),
      },
    ],
  });
}

type NewDefaults = {channelIds: readonly number[]};

function openAddForm(app: App): void {
  const form: Form<NewDefaults> = {
    id: 'add default channels',
    title: 'Add default channels',
    saveLabel: 'Add',
    initial: () => ({channelIds: []}),
    fields: (frame) => [
      {
        kind: 'channels',
        key: 'channelIds',
        label: 'Channels',
        help: 'New users are subscribed to them. Private channels cannot be chosen.',
        disabled: administratorReason(frame),
        isOffered: (id, {account}) => {
          const channel = account.channels.get(id);
          return channel?.isPrivate === false && channel.isArchived !== true && !account.defaultChannels.has(id);
        },
      },
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
  };
  openForm(app, form);
}
