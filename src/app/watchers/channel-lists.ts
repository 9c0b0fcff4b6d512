import type {App} from '#app/core/app.ts';
import {viewChannelId} from '#app/core/view.ts';
import {fetchShownSubscribers} from '#app/layout/pane-focus.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {ignoreFailure} from '#app/navigation/navigation.ts';

/** Fetches the topics and subscribers of the shown channel when a pane lists them. */
export function watchChannelLists(app: App): void {
  let last: string | undefined;
  const update = () => {
    const frame = app.frames.paintedFrame;
    const {view} = frame.screen;
    const {topics, people} = screenLayout(frame);
    const channelId = viewChannelId(view);
    const listsTopics = view.kind === 'topics' || topics !== undefined;
    const shown = `${channelId} ${listsTopics} ${people !== undefined}`;
    if (shown === last) return;
    last = shown;
    if (channelId === undefined) return;
    if (listsTopics) ignoreFailure(app, app.session.fetchTopics(channelId));
    fetchShownSubscribers(app);
  };
  app.onEnd(app.frames.subscribe(update));
}
