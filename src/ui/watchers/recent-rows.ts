import {fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import type {App} from '#ui/core/app.ts';
import {bodyRows, listTop} from '#ui/lists/list-lines.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';

type TimedList = 'recent' | 'directs' | 'topics';

/** Rows above and below the visible ones that one request includes. */
const aroundRows = 100;

/** Fetches the last messages of listed conversations that are not loaded: their rows show its age. */
export function watchRecentRows(app: App): void {
  let requested = new Set<number>();
  let {server} = app.state;
  const update = () => {
    const {kind} = app.screen.view;
    if (kind !== 'recent' && kind !== 'directs' && kind !== 'topics') return;
    if (app.state.connection.phase !== 'online') return;
    if (app.state.server !== server) requested = new Set();
    server = app.state.server;
    const missing = missingIds(app, kind, 0).filter((id) => !requested.has(id));
    if (missing.length === 0) return;
    const isOneRequest = server.abilities.messagesByIds;
    const ids = isOneRequest ? missingIds(app, kind, aroundRows) : missing;
    for (const id of ids) requested.add(id);
    const fetch = isOneRequest
      ? fetchMessagesByIds(app.session.context, ids)
      : Promise.all(ids.map((id) => app.session.fetchMessage(id)));
    fetch.catch(() => {});
  };
  // The newest messages make most requests unnecessary.
  app.onEnd(app.frames.subscribe(() => void app.session.recentMessages().then(update)));
}

function missingIds({frame}: App, list: TimedList, around: number): readonly number[] {
  const room = bodyRows(frame, list) ?? 0;
  const top = listTop(frame, list, room);
  const rows = visibleRowsOf(frame, list).rows.slice(Math.max(0, top - around), top + room + around);
  return rows.flatMap((row) =>
    'missingMessageId' in row && typeof row.missingMessageId === 'number' ? [row.missingMessageId] : [],
  );
}
