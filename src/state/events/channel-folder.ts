import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {folderFields} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {ChannelFolderEvent} from '#wire/events/channel-folder.ts';

export function applyChannelFolder(state: AccountState, event: ChannelFolderEvent): AccountState {
  return withSlices(state, {folders: foldersAfter(state.folders, event)});
}

function foldersAfter(folders: AccountState['folders'], event: ChannelFolderEvent): AccountState['folders'] {
  switch (event.op) {
    case 'add':
      return withValue(folders, event.channel_folder.id, folderFields(event.channel_folder));
    case 'update':
      return withFields(folders, event.channel_folder_id, folderFields(event.data));
    case 'reorder':
      return event.order.reduce((ordered, id, order) => withFields(ordered, id, {order}), folders);
  }
}
