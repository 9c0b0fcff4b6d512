import type {LayeredPartProps} from '#ui/Lines.tsx';
import {ListPart} from '#ui/Lines.tsx';

/** The sidebar: views, the latest direct conversations, and the subscribed channels. */
export function ChannelList(props: LayeredPartProps) {
  return <ListPart {...props} id="channels" label="Channels" />;
}
