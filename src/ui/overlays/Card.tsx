import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {cardContent} from './cards.ts';
import {textBoxLines} from './overlay-box.ts';

/** Lines to read. */
export function Card() {
  const card = useSelectEqual(cardContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (card === undefined) return null;
  return <Lines rect={card.layout.rect} label="Card" lines={textBoxLines(card, display)} isFloating />;
}
