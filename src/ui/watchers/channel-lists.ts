import {completedTopics, refreshCompletionMenu} from '#ui/completion-menu/completion-menu.ts';
import type {App} from '#ui/core/app.ts';
import {type Frame, viewChannelId} from '#ui/core/frame.ts';
import {fetchShownSubscribers} from '#ui/layout/pane-focus.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {ignoreFailure} from '#ui/navigation/navigation.ts';
import {openedPicker} from '#ui/overlays/picker.ts';

/**
 * Fetches the topics and subscribers of the shown channel when a pane lists them, the topics that the user is about to
 * choose from, and those of all channels while the user looks for something by name.
 */
export function watchChannelLists(app: App): void {
  watchShownChannel(app);
  watchOfferedTopics(app);
  const isNeeded = () => showsAllTopics(app);
  app.onEnd(
    app.frames.subscribe(() => {
      if (isNeeded()) app.session.topics.collectWhile(isNeeded);
    }),
  );
}

function watchShownChannel(app: App): void {
  let last: string | undefined;
  const update = () => {
    const frame = app.frames.paintedFrame;
    const shown = `${viewChannelId(frame.screen.view)} ${listsTopics(frame)} ${screenLayout(frame).people !== undefined}`;
    if (shown === last) return;
    last = shown;
    fetchShownLists(app);
  };
  app.onEnd(app.frames.subscribe(update));
}

/** Fetches the topics and subscribers of the shown channel that panes list, unless they are complete. */
export function fetchShownLists(app: App): void {
  const frame = app.frames.paintedFrame;
  const channelId = viewChannelId(frame.screen.view);
  if (channelId === undefined) return;
  if (listsTopics(frame)) ignoreFailure(app, app.session.fetchTopics(channelId));
  fetchShownSubscribers(app);
}

function listsTopics(frame: Frame): boolean {
  return frame.screen.view.kind === 'topics' || screenLayout(frame).topics !== undefined;
}

/** Fetches the topics of the channel that is named in a picker or in the composer. */
function watchOfferedTopics(app: App): void {
  let last: number | undefined;
  const update = () => {
    const open = openedPicker(app);
    const {composer} = app.screen;
    const channelId =
      open === undefined ? completedTopics(composer) : open.picker.topicsOf?.(app.frame, open.field.text);
    if (channelId === last) return;
    last = channelId;
    if (channelId === undefined) return;
    const fetched = app.session.fetchTopics(channelId).then(() => {
      if (completedTopics(app.screen.composer) === channelId) refreshCompletionMenu(app);
    });
    ignoreFailure(app, fetched);
  };
  app.onEnd(app.frames.subscribe(update));
}

/** Whether the screen finds, or lists, topics of all channels. */
function showsAllTopics(app: App): boolean {
  const {view, lists} = app.screen;
  const picker = openedPicker(app)?.picker.id;
  const {isFiltering, filter} = lists.channels;
  return picker === 'palette' || picker === 'search' || isFiltering || filter.text !== '' || view.kind === 'recent';
}
