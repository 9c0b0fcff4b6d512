import {syncComposerWithView} from '#app/composer/open-composer.ts';
import {captureReturnPoint, resumeComposer} from '#app/composer/return-point.ts';
import type {App} from '#app/core/app.ts';
import {closeFilterInput} from '#app/lists/change-list.ts';
import {loadTimeline} from '#app/navigation/navigation.ts';
import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import {shownConversation, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {shownOtherPane} from '#ui/layout/layout.ts';
import {mainList} from '#ui/list-table.ts';
import {missingPaneText, otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {type OtherPane, ownOtherPane, type PaneDirection} from '#ui/other-pane/other-pane-state.ts';

/** Whether the conversation is on the screen in full: in the focused pane, or in the other one unless it is hidden. */
export function isConversationShown(screen: ScreenState, conversation: Conversation): boolean {
  const other = ownOtherPane(screen) && shownOtherPane(screen);
  return [screen, other].some((pane) => {
    const shown = pane && shownConversation(pane);
    return shown !== undefined && sameConversation(shown, conversation);
  });
}

/** Returns the number of the organization with the focus, if several are shown together. */
function focusedOrganization({frame}: App): number | undefined {
  return frame.organizations?.all.find(({isShown}) => isShown)?.index;
}

/** Returns the pane as another organization has it beside its own: a list of all organizations belongs to each of them. */
function paneOf<P extends Pick<OtherPane, 'view'>>(pane: P, organization: number | undefined) {
  return {...pane, organization: mainList(pane.view)?.isMerged === true ? undefined : organization};
}

/** Keeps the second pane on the screen when another organization gets the focus. */
export function carryOtherPane(from: App, fromIndex: number, to: App, toIndex: number): void {
  const {otherPane} = from.screen;
  if (otherPane === undefined && to.screen.otherPane === undefined) return;
  const owner = otherPane?.organization ?? fromIndex;
  to.set({otherPane: otherPane && paneOf(otherPane, owner === toIndex ? undefined : owner)});
}

/**
 * Moves the focus to the other pane, and to its organization. The text in the composer is saved and stays with its pane. Returns the
 * app that has the focus then.
 */
export function focusOtherPane(app: App): App {
  const {otherPane} = app.screen;
  const organization = focusedOrganization(app);
  const owner = otherPane?.organization === undefined ? app : app.accounts.appAt?.(otherPane.organization);
  if (owner === undefined) app.warn(missingPaneText(app.frame));
  if (otherPane === undefined || owner === undefined) return app;
  const left = leavePane(app);
  if (otherPane.organization !== undefined) app.accounts.show(otherPane.organization);
  owner.update((screen) => swapped(screen, owner === app ? left : paneOf(left, organization)));
  syncComposerWithView(owner);
  const {composer, focus, view} = otherPane;
  const isWriting = composer !== undefined && resumeComposer(owner, composer) && focus === 'composer';
  if (!isWriting) owner.set({focus: 'main'});
  if (view.kind === 'messages') loadTimeline(owner, view);
  return owner;
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
  const {otherPane} = app.screen;
  if (ownOtherPane(app.screen) !== undefined) focusOtherPane(app);
  else app.set({otherPane: {...leavePane(app), direction, isFirst: otherPane?.isFirst !== true, isZoomed: false}});
  changeOtherPane(app, {direction, isZoomed: false});
  open();
}

export function changeOtherPane(app: App, fields: Partial<OtherPane>): void {
  app.update((screen) =>
    screen.otherPane === undefined ? screen : {...screen, otherPane: {...screen.otherPane, ...fields}},
  );
}

/** Runs a function as if the other pane had the focus: the wheel scrolls the pane under the mouse. */
export function inOtherPane(app: App, act: (owner: App) => void): void {
  const {otherPane} = app.screen;
  const owner = otherPane?.organization === undefined ? app : app.accounts.appAt?.(otherPane.organization);
  const other = otherPaneFrame(app.frame)?.screen;
  if (other === undefined || owner === undefined) return;
  const {screen} = owner;
  owner.update(() => other);
  act(owner);
  const {timelines, lists, inbox} = owner.screen;
  owner.update(() => ({...screen, lists, inbox}));
  changeOtherPane(app, {timeline: timelines.get(viewKey(other.view))});
}

/** Closes the focused pane; its text was saved as a draft. */
export function closeFocusedPane(app: App): void {
  closeOtherPane(focusOtherPane(app));
}

export function closeOtherPane(app: App): void {
  app.set({otherPane: undefined});
}
