import type {App} from '#app/core/app.ts';
import {closeFilterInput, startFilter} from '#app/lists/change-list.ts';
import {changeTimeline, openView} from '#app/navigation/navigation.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import type {ComposerState} from '#ui/composer/composer-state.ts';
import {viewKey} from '#ui/core/frame.ts';
import type {ReturnPoint} from '#ui/inbox/unread-walk-state.ts';
import {listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {replaceAll, type TextField} from '#ui/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {persistedEdit} from './composer-saver.ts';

/** Returns where the user is. The composer's text is on disk when this returns. */
export function captureReturnPoint(app: App): ReturnPoint {
  const composer = saveComposerForLater(app);
  const {view, focus, timelines} = app.screen;
  const filtered = listBeingFiltered(app.screen);
  return {view, focus, timeline: timelines.get(viewKey(view)), composer, filtered};
}

/** Closes overlays and the filter input before another view opens. */
export function closeOverlaysAndFilter(app: App): void {
  for (let left = app.screen.overlays.length; left > 0; left--) app.closeOverlay();
  closeFilterInput(app);
}

/** Opens a return point with the scroll position, focus and composer it had. */
export function goToReturnPoint(app: App, {view, focus, timeline, composer, filtered}: ReturnPoint): void {
  if (view.kind === 'messages' && timeline !== undefined) {
    // Messages that arrived since then count as seen: the view would otherwise scroll to the first of them.
    const unread = firstUnreadId(app.state, view.narrow);
    changeTimeline(app, view, () => ({...timeline, firstUnread: unread, isPeek: false}));
  }
  openView(app, view);
  if (timeline !== undefined) {
    changeTimeline(app, view, ({hasLoaded, slowOutboxIds}) => ({
      ...timeline,
      hasLoaded,
      slowOutboxIds,
    }));
  }
  const isWriting = composer !== undefined && resumeComposer(app, composer);
  if (focus !== 'composer') app.set({focus});
  else if (!isWriting) app.set({focus: 'main'});
  if (filtered !== undefined) startFilter(app, filtered);
}

/** Saves the open composer to disk and returns it, cursor included. Returns undefined when it is closed. */
function saveComposerForLater(app: App): ComposerState | undefined {
  app.composerPersistence.flush();
  const {composer} = app.screen;
  return composer.isOpen ? composer : undefined;
}

/**
 * Restores a set-aside composer with the text that other clients left meanwhile. Returns false when it was sent or
 * deleted elsewhere.
 */
export function resumeComposer(app: App, aside: ComposerState): boolean {
  const text = savedText(app, aside);
  if (text === undefined) return false;
  const {upload, delayedSend, field} = app.screen.composer;
  const before: TextField = {...aside.field, kills: field.kills};
  setComposer(app, {
    ...aside,
    field: text === before.text ? before : replaceAll(before, text),
    menu: undefined,
    upload,
    delayedSend,
  });
  app.set({focus: 'composer'});
  return true;
}

/** Returns the text from disk; undefined when its draft is gone. */
function savedText(app: App, {editing, draftId, field}: ComposerState): string | undefined {
  if (editing !== undefined) {
    const unsaved = persistedEdit(app, editing.messageId)?.text;
    return unsaved ?? (field.text === editing.before ? field.text : undefined);
  }
  if (draftId !== undefined) return app.session.drafts.get(draftId)?.content;
  return field.text.trim() === '' ? field.text : undefined;
}
