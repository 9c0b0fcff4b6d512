import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {paragraph} from './card-lines.ts';
import {openCard} from './cards.ts';

export interface LoadingCard<T> extends Omit<Card, 'lines' | 'title'> {
  readonly title: (value: T | undefined) => string;
  readonly ask: Promise<T>;
  /** Computed once per value, width and account state. */
  readonly lines: (frame: Frame, width: number, value: T) => readonly PaneLine[];
}

/** Opens a card at once and fills it when the request completes. */
export function openLoadingCard<T>(app: App, {ask, title, lines, ...rest}: LoadingCard<T>): void {
  const {promise: loading, resolve} = Promise.withResolvers<void>();
  const waiting: Card = {
    ...rest,
    loading,
    title: title(undefined),
    lines: memoizedCardLines(({display}, width) => paragraph(plainGlyphText('loading…', display), 'dim', width)),
  };
  openCard(app, waiting);
  const filled = ask.then(
    (value) =>
      replaceCard(app, waiting, {
        ...waiting,
        title: title(value),
        lines: memoizedCardLines((frame, width) => lines(frame, width, value)),
      }),
    (error: unknown) => {
      const problem = failureReason(error) ?? '';
      replaceCard(app, waiting, {
        ...waiting,
        lines: memoizedCardLines((_frame, width) => paragraph(problem, 'error', width)),
      });
    },
  );
  filled.then(resolve);
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

/** Memoizes a card's lines while the frame parts they depend on are unchanged. */
export function memoizedCardLines(lines: Card['lines']): Card['lines'] {
  let last: {readonly frame: Frame; readonly width: number; readonly lines: readonly PaneLine[]} | undefined;
  return (frame, width) => {
    const isSame =
      last !== undefined &&
      last.width === width &&
      last.frame.account === frame.account &&
      last.frame.display === frame.display &&
      last.frame.minute === frame.minute;
    if (!isSame || last === undefined) last = {frame, width, lines: lines(frame, width)};
    return last.lines;
  };
}
