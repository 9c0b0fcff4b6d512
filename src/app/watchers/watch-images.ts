import type {App} from '#app/core/app.ts';
import {sameArguments} from '#std/memo.ts';
import type {Frame, ImageLoader, ImageRequest, PaneLine} from '#ui/core/frame.ts';
import {previewedMessages, previewRect} from '#ui/inbox/inbox-preview.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {cardContent} from '#ui/overlays/card-content.ts';

/** Tells the app's loader after each paint which images are on the screen; those of another organization's pane load with its own. */
export function watchImages(app: App): void {
  let lines: readonly (readonly PaneLine[])[] = [];
  let loaders: readonly (ImageLoader | undefined)[] = [];
  app.afterPaint(() => {
    // Where an account is not shown, the one that is shown says what is visible of it.
    if (app.imageLoader === undefined || !app.isOnScreen) return;
    const frame = app.frames.paintedFrame;
    const other = otherPaneFrame(frame);
    const shown = [imageLines(frame), other === undefined ? noLines : imageLines(other)];
    const now = [app.imageLoader, otherPaneLoader(app, frame)];
    if (sameArguments(shown, lines) && sameArguments(now, loaders)) return;
    for (const loader of new Set([...loaders, ...now]))
      loader?.setVisible(imagesIn(shown.filter((_, at) => now[at] === loader).flat()));
    [lines, loaders] = [shown, now];
  });
}

function otherPaneLoader(app: App, {screen}: Frame): ImageLoader | undefined {
  const organization = screen.otherPane?.organization;
  return (organization === undefined ? app : app.accounts.appAt?.(organization))?.imageLoader;
}

const noLines: readonly PaneLine[] = [];

/** Returns the lines of the part of the screen that may show images: the viewer covers all others. */
function imageLines(frame: Frame): readonly PaneLine[] {
  if (frame.display.images === undefined) return noLines;
  const card = cardContent(frame);
  if (card?.layout.isFullScreen === true) return card.lines;
  const rect = previewRect(frame);
  const shown = mainTimelineNow(frame) ?? (rect && previewedMessages(frame, rect));
  return shown?.lines ?? noLines;
}

/** Returns the images of lines, each box once. */
export function imagesIn(lines: readonly PaneLine[]): readonly ImageRequest[] {
  const requests = new Map<string, ImageRequest>();
  for (const {spans} of lines) {
    for (const {image} of spans) {
      if (image === undefined) continue;
      const {href, columns, rows, isEmoji} = image;
      requests.set(`${columns} ${rows} ${href}`, {href, columns, rows, ...(isEmoji && {isEmoji})});
    }
  }
  return [...requests.values()];
}
