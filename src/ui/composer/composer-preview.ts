import type {App} from '#ui/core/app.ts';
import {setComposer} from './change-composer.ts';
import {composerParts, textGeometry} from './composer-parts.ts';

/** Scrolls a long preview by one line. */
export function scrollComposerPreview(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const {preview = []} = composerParts(app.frame);
  const maxTop = Math.max(0, preview.length - textGeometry(app.frame).height);
  setComposer(app, {...composer, top: Math.max(0, Math.min(composer.top + step, maxTop))});
}

export function toggleComposerPreview(app: App): void {
  const {composer} = app.screen;
  setComposer(app, {
    ...composer,
    isPreviewed: !composer.isPreviewed,
    activePart: 'text',
    menu: undefined,
    top: 0,
  });
}
