import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {bannerLines} from './banner-lines.ts';

/** Above the messages: that nothing can be written, or that the channel is not subscribed or not accessible. */
export function Banner({rect}: PartProps) {
  const lines = useSelect((snapshot) => bannerLines(snapshot, rect));
  return <Lines rect={rect} label="Banner" lines={lines} />;
}
