import {syncComposerWithView} from '#app/composer/open-composer.ts';
import {captureReturnPoint, resumeComposer} from '#app/composer/return-point.ts';
import type {App} from '#app/core/app.ts';
import {closeFilterInput} from '#app/lists/change-list.ts';
import {loadTimeline} from '#app/navigation/navigation.ts';
import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import {shownConversation, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {shownOtherPane} from '#ui/layout/layout.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import type {OtherPane, PaneDirection} from '#ui/other-pane/other-pane-state.ts';

/** Whether the conversation is on the screen in full: in the focused pane, or in the other one unless it is hidden. */
export function isConversationShown(screen: ScreenState, conversation: Conversation): boolean {
  return [screen, shownOtherPane(screen)].some((pane) => {
    const shown = pane && shownConversation(pane);
    return shown !== undefined && sameConversation(shown, conversation);
  });
}

/** Moves the focus to the other pane. The text in the composer is saved and stays with its pane. */
export function focusOtherPane(app: App): void {
  const {otherPane} = app.screen;
  if (otherPane === undefined) return;
  const left = leavePane(app);
  app.update((screen) => swapped(screen, left));
  syncComposerWithView(app);
  const {composer, focus, view} = otherPane;
  const isWriting = composer !== undefined && resumeComposer(app, composer) && focus === 'composer';
  if (!isWriting) app.set({focus: 'main'});
  if (view.kind === 'messages') loadTimeline(app, view);
}

/** Returns the focused pane as it is when it has lost the focus. */
function leavePane(app: App): Omit<OtherPane, 'direction' | 'isFirst' | 'isZoomed'> {
  closeFilterInput(app);
  const {view, focus, timeline, composer} = captureReturnPoint(app);
  const {back, forward} = app.screen;
  const newestKnown = app.state.maxMessageId;
  return {view, back, forward, focus: focus === 'composer' ? focus : 'main', timeline, newestKnown, composer};
}

/** Returns the screen with the other pane focused, and `left` in its place. */
function swapped(screen: ScreenState, left: ReturnType<typeof leavePane>): ScreenState {
  const {otherPane, timelines} = screen;
  if (otherPane === undefined) return screen;
  const {view, back, forward, timeline} = otherPane;
  return {
    ...screen,
    view,
    back,
    forward,
    focus: 'main',
    timelines: timeline === undefined ? timelines : new Map(timelines).set(viewKey(view), timeline),
    otherPane: {...otherPane, ...left, isFirst: !otherPane.isFirst},
  };
}

/** Opens something in the pane that does not have the focus, and moves the focus there. Makes the pane if there is none. */
export function openInOtherPane(app: App, direction: PaneDirection, open: () => void): void {
  if (app.screen.otherPane !== undefined) focusOtherPane(app);
  else app.set({otherPane: {...leavePane(app), direction, isFirst: true, isZoomed: false}});
  changeOtherPane(app, {direction, isZoomed: false});
  open();
}

export function changeOtherPane(app: App, fields: Partial<OtherPane>): void {
  app.update((screen) =>
    screen.otherPane === undefined ? screen : {...screen, otherPane: {...screen.otherPane, ...fields}},
  );
}

/** Runs a function as if the other pane had the focus: the wheel scrolls the pane under the mouse. */
export function inOtherPane(app: App, act: () => void): void {
  const {screen} = app;
  const other = otherPaneFrame(app.frame)?.screen;
  if (other === undefined) return;
  app.update(() => other);
  act();
  const {timelines, lists, inbox} = app.screen;
  app.update(() => ({...screen, lists, inbox}));
  changeOtherPane(app, {timeline: timelines.get(viewKey(other.view))});
}

/** Closes the focused pane; its text was saved as a draft. */
export function closeFocusedPane(app: App): void {
  focusOtherPane(app);
  closeOtherPane(app);
}

export function closeOtherPane(app: App): void {
  app.set({otherPane: undefined});
}
