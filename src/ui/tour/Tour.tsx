import {useScreen} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';

/** The instruction of the tour, below all other parts. */
export function Tour() {
  const tour = useScreen((screen) => screen.tour);
  const size = useScreen((screen) => screen.size);
  if (tour === undefined) return null;
  const rect = {x: 0, y: size.rows, columns: size.columns, rows: tour.lines.length};
  return <Lines rect={rect} staysBright lines={tour.lines} />;
}
