import {LinesPart, type PartProps} from '#ui/Lines.tsx';
import {firstRow, type Part} from '#ui/part.ts';
import {bannerContent, bannerLines} from './banner-lines.ts';

/** Above the messages: that nothing can be written, or that the channel is not subscribed or not accessible. */
export function Banner({rect}: PartProps) {
  return <LinesPart rect={rect} select={bannerContent} linesOf={bannerLines} />;
}

export const bannerPart: Part = {
  id: 'banner',
  component: Banner,
  place: ({banner}) => banner,
  selectedRows: ({screen}, {banner}) => (screen.focus === 'banner' ? firstRow(banner) : undefined),
};
