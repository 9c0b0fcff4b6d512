import type {LayeredPartProps} from '#ui/Lines.tsx';
import {List} from '#ui/lists/List.tsx';
import {channelBrowser} from './channel-browser.ts';

/** All channels, to subscribe and unsubscribe. */
export function ChannelBrowser(props: LayeredPartProps) {
  return <List source={channelBrowser} {...props} />;
}
