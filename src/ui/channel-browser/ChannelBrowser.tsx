import {Lines, type PartProps} from '#ui/Lines.tsx';
import {useListLines} from '#ui/lists/use-list.ts';

/** All channels of the organization, to subscribe and unsubscribe. */
export function ChannelBrowser({rect}: PartProps) {
  return <Lines rect={rect} label="All channels" lines={useListLines('browser', rect)} />;
}
