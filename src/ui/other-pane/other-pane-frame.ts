import {memoByObject, memoizeLast} from '#std/memo.ts';
import {type ComposerState, closedComposer, emptyComposer} from '#ui/composer/composer-state.ts';
import {conversationDrafts, viewConversation} from '#ui/composer/destination.ts';
import {type AppInfo, type Frame, viewKey} from '#ui/core/frame.ts';
import type {OtherPane} from '#ui/core/screen-state.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {setText} from '#ui/text/text-field.ts';

/**
 * Returns the frame that the pane without the focus is painted from: its view is the view, its rectangle the only area, and
 * no key works there. So every part of the screen paints both panes. Undefined while there is no such pane, or it is hidden.
 */
export const otherPaneFrame = memoizeLast((frame: Frame): Frame | undefined => {
  const {screen} = frame;
  const {otherPane} = screen;
  const area = screenLayout(frame).other;
  if (otherPane === undefined || area === undefined) return undefined;
  const {view, back, forward, timeline} = otherPane;
  return {
    ...frame,
    info: withoutKeys(frame.info),
    screen: {
      ...screen,
      view,
      back,
      forward,
      area,
      focus: 'other',
      otherPane: {...otherPane, view: screen.view, isFirst: !otherPane.isFirst},
      timelines: timeline === undefined ? noTimelines : timelinesOf(viewKey(view), timeline),
      composer: composerOf(frame, otherPane),
      unreadWalk: undefined,
      movedConversation: undefined,
    },
  };
});

const noTimelines: Frame['screen']['timelines'] = new Map();
const timelinesOf = memoizeLast(
  (key: string, timeline: NonNullable<OtherPane['timeline']>): Frame['screen']['timelines'] =>
    new Map([[key, timeline]]),
);

/** Texts that name a key would name one of the focused pane. */
const withoutKeys = memoByObject((info: AppInfo): AppInfo => ({...info, keys: undefined}));

/** Returns the closed composer with the draft of the pane's conversation. */
function composerOf({account, screen}: Frame, {view}: OtherPane): ComposerState {
  const conversation = viewConversation(view);
  if (conversation === undefined) return closedComposer;
  const empty = emptyComposer(closedComposer, conversation);
  const [draft] = conversationDrafts(account, conversation, screen.composer.delayedSend?.draftId);
  return draft === undefined ? empty : {...empty, field: setText(empty.field, draft.content), draftId: draft.id};
}
