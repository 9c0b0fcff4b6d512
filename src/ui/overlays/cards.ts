import {RecentResults, sameArguments} from '#std/memo.ts';
import type {Key} from '#terminal/input/key.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card, CardState} from '#ui/core/overlay.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {loadFailureText} from '#ui/format/loading-text.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {paragraph} from './card-lines.ts';
import type {TextBox} from './overlay-box.ts';
import {overlayLayout} from './overlay-layout.ts';

export function openCard(app: App, card: Card): void {
  app.openOverlay({kind: 'card', card, top: 0});
}

/** One column stays free at each side of the text. */
const indent = 1;

/** The lines of the open card: a key that scrolls it does not make them again. */
const recentLines = new RecentResults<readonly unknown[], readonly PaneLine[]>();

/** Returns the lines of a card at the size of the screen, and the index of the first visible one. */
function laidOutCard(frame: Frame, open: CardState) {
  const {columns} = overlayLayout(frame, open, 1);
  const width = Math.max(1, columns - 2 * indent);
  const inputs = [open.card, width, frame.account, frame.display, frame.minute];
  const lines = recentLines.get(inputs, sameArguments, () => open.card.lines(frame, width));
  const layout = overlayLayout(frame, open, lines.length);
  return {layout, lines, top: Math.max(0, Math.min(open.top, lines.length - layout.bodyRows))};
}

/** Selects the open card: the lines that are scrolled into view. */
export function cardContent(frame: Frame): TextBox | undefined {
  const open = openedCard(frame);
  if (open === undefined) return undefined;
  const {title, hint} = open.card;
  const {layout, lines, top} = laidOutCard(frame, open);
  const end = Math.min(lines.length, top + layout.bodyRows);
  const shown = {layout, title, lines: lines.slice(top, end), status: []};
  if (lines.length <= layout.bodyRows) return {...shown, position: '', hint};
  return {...shown, position: `${end}/${lines.length}`, hint: {'j k': 'scroll', ...hint}};
}

function openedCard({screen}: Pick<App, 'screen'>): CardState | undefined {
  const top = screen.overlays.at(-1);
  return top?.kind === 'card' ? top : undefined;
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
  const by = steps(page).get(name);
  if (by !== undefined) scrollCard(app, by);
  return by !== undefined;
}

function steps(page: number): ReadonlyMap<string, number> {
  const far = Number.MAX_SAFE_INTEGER;
  return new Map([
    ['j', 1],
    ['Down', 1],
    ['k', -1],
    ['Up', -1],
    ['Space', page],
    ['J', page],
    ['PageDown', page],
    ['K', -page],
    ['PageUp', -page],
    ['g', -far],
    ['Home', -far],
    ['G', far],
    ['End', far],
  ]);
}

interface LoadingCard<T> extends Omit<Card, 'lines' | 'title' | 'loading' | 'reload'> {
  readonly title: (value: T | undefined) => string;
  /** Called again when the user tries again after a failure. */
  readonly ask: () => Promise<T>;
  readonly lines: (frame: Frame, width: number, value: T) => readonly PaneLine[];
}

/** Opens a card at once and fills it when the request completes. After a failure the card offers to try again. */
export function openLoadingCard<T>(app: App, {ask, title, lines, ...rest}: LoadingCard<T>): void {
  const {promise: loading, resolve} = Promise.withResolvers<void>();
  const waiting: Card = {
    ...rest,
    loading,
    title: title(undefined),
    lines: ({display}, width) => paragraph(plainGlyphText('loading…', display), 'dim', width),
  };
  const load = () => {
    const filled = ask().then(
      (value) =>
        replaceCard(app, waiting, {
          ...waiting,
          title: title(value),
          lines: (frame, width) => lines(frame, width, value),
        }),
      (error: unknown) => showFailure(failureReason(error) ?? ''),
    );
    filled.then(resolve);
  };
  const showFailure = (reason: string) => {
    const failed: Card = {
      ...waiting,
      lines: (frame, width) => paragraph(loadFailureText(frame, 'This', reason), 'error', width),
      reload: () => {
        replaceCard(app, failed, waiting);
        load();
      },
    };
    replaceCard(app, waiting, failed);
  };
  openCard(app, waiting);
  load();
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
