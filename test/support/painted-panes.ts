import {bannerLines} from '#app/chrome/banner.ts';
import {headerLines} from '#app/chrome/header.ts';
import {prefixLines, prefixRect} from '#app/chrome/prefix-panel.ts';
import {statusLines} from '#app/chrome/status-line.ts';
import {toastPanelLines, toastPanelRect} from '#app/chrome/toast-panel.ts';
import {completionMenuLines, completionMenuRect} from '#app/compose/pane/completion-menu-pane.ts';
import {composerLines} from '#app/compose/pane/composer-pane.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {View} from '#app/core/view.ts';
import {inboxLines} from '#app/inbox/pane/inbox-pane.ts';
import {triageLines} from '#app/inbox/pane/triage-pane.ts';
import type {Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {terminalCursorPosition} from '#app/layout/terminal-cursor.ts';
import {tooSmallLines} from '#app/layout/too-small-screen.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {overlayLines, overlayRect} from '#app/overlays/overlay-pane.ts';
import {messagePaneLines} from '#app/timeline/message-pane.ts';

type PaneLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

const mainPanes: Readonly<Record<View['kind'], PaneLines>> = {
  inbox: inboxLines,
  triage: triageLines,
  recent: listPane('recent'),
  directs: listPane('directs'),
  topics: listPane('topics'),
  channels: listPane('browser'),
  people: listPane('people'),
  drafts: listPane('drafts'),
  messages: messagePaneLines,
};

/** Returns every line of a frame with its styles and position, as the components would place them. */
export function paintedPanes(frame: Frame): readonly string[] {
  const layout = screenLayout(frame);
  const {columns, rows} = frame.screen.size;
  const whole: Rect = {x: 0, y: 0, columns, rows};
  const panes: readonly (readonly [name: string, rect: Rect | undefined, lines: PaneLines])[] =
    layout.size === 'tooSmall'
      ? [['too small', whole, tooSmallLines]]
      : [
          ['header', layout.header, headerLines],
          ['channels', layout.channels, listPane('channels')],
          ['topics', layout.topics, listPane('topics')],
          ['banner', layout.banner, bannerLines],
          ['main', layout.main, mainPanes[frame.screen.view.kind]],
          ['composer', layout.composer, composerLines],
          ['people', layout.people, listPane('people')],
          ['status', layout.status, statusLines],
          ['menu', completionMenuRect(frame), completionMenuLines],
          ['overlay', overlayRect(frame), overlayLines],
          ['prefix', prefixRect(frame), prefixLines],
          ['toast', layout.toast, statusLines],
          ['long toast', toastPanelRect(frame), toastPanelLines],
        ];
  const painted = panes.flatMap(([name, rect, lines]) =>
    rect === undefined
      ? []
      : lines(frame, rect).map((line, at) => `${name} ${JSON.stringify(rect)} ${at} ${JSON.stringify(line)}`),
  );
  return [...painted, `cursor ${JSON.stringify(terminalCursorPosition(frame))}`];
}
