import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

interface ChannelListProps extends PartProps {
  /** Whether it lies over the messages, on a narrow screen. */
  readonly isFloating: boolean;
}

/** The sidebar: views, the latest direct conversations, and the subscribed channels. */
export function ChannelList({rect, isFloating}: ChannelListProps) {
  return <Lines rect={rect} label="Channels" lines={useListLines('channels', rect)} isFloating={isFloating} />;
}
