import type {App} from '#app/core/app.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import type {Key} from '#terminal/input/key.ts';
import {type Frame, fetched, type PaneLine} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import {loadFailureText} from '#ui/lists/list-source.ts';
import {laidOutCard, openedCard} from '#ui/overlays/card-content.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

export function openCard(app: App, card: Card): void {
  app.openOverlay({kind: 'card', card, top: 0});
}

export function scrollCard(app: App, by: number): void {
  const open = openedCard(app);
  if (open === undefined) return;
  const {layout, lines, top} = laidOutCard(app.frame, open);
  const last = Math.max(0, lines.length - layout.bodyRows);
  app.changeOverlay({...open, top: Math.max(0, Math.min(last, top + by))});
}

/** Handles pager keys. Returns false for other keys. */
export function pressInCard(app: App, {name, ctrl, alt}: Key): boolean {
  const open = openedCard(app);
  if (open === undefined || ctrl === true || alt === true) return false;
  if (name === 'Esc' || name === 'q' || name === 'Enter') {
    app.closeOverlay();
    return true;
  }
  const page = Math.max(1, laidOutCard(app.frame, open).layout.bodyRows - 1);
  const by = stepOf(name, page);
  if (by !== undefined) scrollCard(app, by);
  return by !== undefined;
}

/** The keys that scroll down, and up: by a line, by a page, to the end. */
const [downKeys, upKeys] = [
  [
    ['j', 'Down'],
    ['Space', 'J', 'PageDown'],
    ['G', 'End'],
  ],
  [
    ['k', 'Up'],
    ['K', 'PageUp'],
    ['g', 'Home'],
  ],
] as const;

/** Returns by how many lines a key scrolls a card. */
function stepOf(name: string, page: number): number | undefined {
  const isKey = (keys: readonly string[]) => keys.includes(name);
  const down = downKeys.findIndex(isKey);
  const up = upKeys.findIndex(isKey);
  const by = [1, page, Number.MAX_SAFE_INTEGER][Math.max(down, up)];
  return by === undefined || down >= 0 ? by : -by;
}

interface FetchedCard<T> extends Omit<Card, 'lines' | 'titleFor' | 'reads'> {
  readonly request: FetchRequest<T>;
  /** Returns the title when the result is known; `title` until then. */
  readonly titleOf?: (data: T) => string;
  readonly lines: (frame: Frame, width: number, data: T) => readonly PaneLine[];
}

/** Opens a card of what a request fetches. It says that it loads, or why it could not, and with which key to try again. */
export function openFetchedCard<T>(app: App, {request, titleOf, lines, ...card}: FetchedCard<T>): void {
  openCard(app, {
    ...card,
    titleFor: (frame) => {
      const {data} = fetched(frame, request);
      return data === undefined || titleOf === undefined ? card.title : titleOf(data);
    },
    reads: [request],
    lines: (frame, width) => {
      const {data, error} = fetched(frame, request);
      const problem = error === undefined ? [] : paragraph(loadFailureText(frame, 'This', error), 'error', width);
      if (data !== undefined) return [...problem, ...lines(frame, width, data)];
      return error === undefined ? paragraph(plainGlyphText('loading…', frame.display), 'dim', width) : problem;
    },
  });
}

/** Replaces an open card, wherever it is in the stack; does nothing when it was closed meanwhile. */
export function replaceCard(app: App, before: Card, after: Card): void {
  app.update((screen) => {
    const at = screen.overlays.findIndex((open) => open.kind === 'card' && open.card === before);
    const open = screen.overlays[at];
    if (open?.kind !== 'card') return screen;
    return {...screen, overlays: screen.overlays.with(at, {...open, card: after})};
  });
}

/** A key of a card, what it does in words, and what it does. */
export type CardKey = readonly [key: string, what: string, run?: (app: App) => void];

/** Runs what a key does, without Ctrl and Alt. Returns false for other keys. */
export function pressCardKey(app: App, {name, ctrl, alt}: Key, keys: readonly CardKey[]): boolean {
  const found = ctrl === true || alt === true ? undefined : keys.find(([key]) => key === name);
  found?.[2]?.(app);
  return found !== undefined;
}
