import type {AppReader} from '#ui/core/app-reader.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import type {Card, CardState} from '#ui/core/overlay.ts';
import {overlayLayout, type TextBox} from './overlay-box.ts';

/** One column stays free at each side of the text. */
const indent = 1;

/** The lines of the open card: a key that scrolls it does not make them again. */
const cardLines = memoByFrame(
  ({account, fetches, display, minute, screen}, card: Card, width: number) => [
    card,
    width,
    account,
    fetches,
    display,
    minute,
    screen.size,
    screen.presences,
  ],
  (frame, card, width) => card.lines(frame, width),
);

/** Returns the lines of a card at the size of the screen, and the index of the first visible one. */
export function laidOutCard(frame: Frame, open: CardState) {
  const {columns} = overlayLayout(frame, open, 1);
  const width = Math.max(1, columns - 2 * indent);
  const lines = cardLines(frame, open.card, width);
  const layout = overlayLayout(frame, open, lines.length);
  return {layout, lines, top: Math.max(0, Math.min(open.top, lines.length - layout.bodyRows))};
}

export function cardTitle(frame: Frame, {title, titleFor}: Card): string {
  return titleFor?.(frame) ?? title;
}

/** Selects the open card: the lines that are scrolled into view. */
export function cardContent(frame: Frame): TextBox | undefined {
  const open = openedCard(frame);
  if (open === undefined) return undefined;
  const {hint} = open.card;
  const title = cardTitle(frame, open.card);
  const {layout, lines, top} = laidOutCard(frame, open);
  const end = Math.min(lines.length, top + layout.bodyRows);
  const shown = {layout, title, lines: lines.slice(top, end), status: []};
  if (lines.length <= layout.bodyRows) return {...shown, position: '', hint};
  return {...shown, position: `${end}/${lines.length}`, hint: {'j k': 'scroll', ...hint}};
}

export function openedCard({screen}: Pick<AppReader, 'screen'>): CardState | undefined {
  const top = screen.overlays.at(-1);
  return top?.kind === 'card' ? top : undefined;
}
