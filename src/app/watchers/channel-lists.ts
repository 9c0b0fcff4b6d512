import type {App} from '#app/core/app.ts';
import {viewChannelId} from '#app/core/view.ts';
import {fetchShownSubscribers} from '#app/layout/pane-focus.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {ignoreFailure} from '#app/navigation/navigation.ts';

/** Topics that are not listed on the screen are fetched when a channel is shown this long. */
const restMs = 10_000;

/**
 * Fetches the topics and subscribers of the shown channel when a pane lists them. Topics that no pane lists are
 * needed to find them by name: they are fetched unless the user only passes through.
 */
export function watchChannelLists(app: App): void {
  let last: string | undefined;
  let cancel = () => {};
  const update = () => {
    const frame = app.frames.paintedFrame;
    const {view} = frame.screen;
    const {topics, people} = screenLayout(frame);
    const channelId = viewChannelId(view);
    const listsTopics = view.kind === 'topics' || topics !== undefined;
    const shown = `${channelId} ${listsTopics} ${people !== undefined}`;
    if (shown === last) return;
    last = shown;
    cancel();
    if (channelId === undefined) return;
    const fetchTopics = () => ignoreFailure(app, app.session.fetchTopics(channelId));
    if (listsTopics) fetchTopics();
    else cancel = app.clock.after(restMs, fetchTopics);
    fetchShownSubscribers(app);
  };
  app.onEnd(app.frames.subscribe(update));
  app.onEnd(() => cancel());
}
