import {withFields, withValue} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireFolder} from '#wire/objects/channel.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type Folder = CamelKeys<Omit<WireFolder, 'rendered_description'>>;

/** Converts a whole folder or a patch of one. */
function folderFields<T extends {rendered_description?: string | undefined}>(wire: T) {
  const {rendered_description: _html, ...rest} = wire;
  return camelKeys(rest);
}

export const folders: Slice<SortedMap<number, Folder>, 'channel_folder'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['channel_folders'], ({channel_folders = []}) =>
    SortedMap.by(channel_folders.map(folderFields), ({id}) => id),
  ),
  saved: savedMap('number', {id: 'number', name: 'string'}),
  appliers: {
    channel_folder: (before, event) => {
      switch (event.op) {
        case 'add':
          return withValue(before, event.channel_folder.id, folderFields(event.channel_folder));
        case 'update':
          return withFields(before, event.channel_folder_id, folderFields(event.data));
        case 'reorder':
          return event.order.reduce((ordered, id, order) => withFields(ordered, id, {order}), before);
      }
    },
  },
};
