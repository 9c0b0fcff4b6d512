import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {loadFailureText} from '#ui/format/loading-text.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {paragraph} from './card-lines.ts';
import {openCard} from './cards.ts';

export interface LoadingCard<T> extends Omit<Card, 'lines' | 'title' | 'loading' | 'reload'> {
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
