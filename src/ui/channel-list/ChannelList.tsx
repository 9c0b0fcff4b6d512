import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {channelList} from './channel-list.ts';

/** The sidebar: views, the latest direct conversations, and the subscribed channels. */
export function ChannelList(props: LayeredPartProps) {
  return <List source={channelList} {...props} />;
}
