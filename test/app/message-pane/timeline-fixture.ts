import {changeTimeline} from '#app/navigation/navigation.ts';
import type {Message} from '#state/model/message.ts';
import {type AppFixtureOptions, appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import {noon, type TimelineFrameParts, talk, timelineAccount} from '#test/ui/message-pane/timeline-frame.ts';
import {messagesView} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {screenLayout} from '#ui/screen-layout.ts';

type FixtureParts = TimelineFrameParts & Omit<Partial<AppFixtureOptions>, 'session' | 'view' | 'clock'>;

/** An app that shows a view with these messages, without any network. */
export function timelineFixture(parts: FixtureParts) {
  const {narrow = talk, size = '80x24', info = {}, settings = {}, device = {}} = parts;
  const clock = new ManualClock(noon * 1000);
  const session = unstartedSession(timelineAccount(parts), clock);
  const view = messagesView(narrow);
  const fixture = appFixture({size, info, settings, device, session, view, clock});
  const {app} = fixture;
  /** Paints a frame. */
  const show = () => app.frames.paintNow();
  const join = (joins: 'older' | 'newer', messages: readonly Message[], unreadIds: readonly number[] = []) => {
    const ids = session.cache.state.timelines.values().next().value?.ids;
    const page = {
      type: 'messages_fetched' as const,
      messages,
      unreadIds: [],
      since: undefined,
      page: {
        narrow,
        joins,
        anchor: joins === 'older' ? ids?.first() : ids?.last(),
        foundOldest: false,
        foundNewest: joins === 'newer',
        matches: [],
      },
    };
    session.cache.apply(page, unreadEvent(messages.filter(({id}) => unreadIds.includes(id))));
    show();
  };
  changeTimeline(app, view, (before) => ({...before, ...parts.state}));
  show();
  return {
    ...fixture,
    session,
    clock,
    view,
    show,
    /** Adds fetched or arriving messages. */
    join,
    lines: () => textOf(messagePaneLines(app.frame, screenLayout(app.frame).main)),
    shown: () => mainTimelineNow(app.frame),
    resize: (columns: number, rows: number) => {
      app.set({size: {columns, rows}});
      show();
    },
  };
}

export function unreadEvent(messages: readonly Message[]) {
  const details = messages.flatMap((message) =>
    message.kind === 'channel'
      ? [[message.id, {type: 'stream' as const, stream_id: message.channelId, topic: message.topic}] as const]
      : [],
  );
  return {
    type: 'update_message_flags' as const,
    id: -1,
    op: 'remove' as const,
    flag: 'read',
    messages: messages.map(({id}) => id),
    all: false,
    message_details: Object.fromEntries(details),
  };
}
