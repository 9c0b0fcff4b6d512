import {useMemo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {bannerContent, bannerLines} from './banner-lines.ts';

/** Above the messages: that nothing can be written, or that the channel is not subscribed or not accessible. */
export function Banner({rect}: PartProps) {
  const banner = useSelectEqual(bannerContent);
  const display = useSelect((snapshot) => snapshot.display);
  const lines = useMemo(() => (banner ? bannerLines(banner, rect, display) : []), [banner, rect, display]);
  return <Lines rect={rect} label="Banner" lines={lines} />;
}
